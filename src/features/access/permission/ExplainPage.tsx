import { PageStack, Section } from '#ui/display/Section.tsx';
import { ExplainPanel } from '#features/access/permission/ExplainPanel.tsx';

/** 为什么看不到, for administrators without 菜单管理. */
export default function ExplainPage() {
  return (
    <PageStack>
      <Section title="为什么看不到？">
        <ExplainPanel />
      </Section>
    </PageStack>
  );
}
