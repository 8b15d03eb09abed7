import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';

/** 危机预警 for an authority: cases belong to the institutions, and their numbers to the release. */
export function AuthorityWarnings() {
  return (
    <PageStack>
      <Section>
        <EmptyState title="预警由各机构处置" hint="这里不显示个案与即时人数；发布后的数字见“统计分析”" />
      </Section>
    </PageStack>
  );
}
