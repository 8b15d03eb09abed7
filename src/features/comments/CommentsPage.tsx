import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { BandsTab } from '#features/comments/BandsTab.tsx';
import { CoverageTab } from '#features/comments/texts/CoverageTab.tsx';
import { NormsTab } from '#features/comments/texts/NormsTab.tsx';
import { TextsTab } from '#features/comments/texts/TextsTab.tsx';
import { TrialTab } from '#features/comments/texts/TrialTab.tsx';

/** The tabs of the page, in their order. Each tab reads its own data. */
const tabs: readonly { key: string; title: string; Tab: ComponentType }[] = [
  { key: 'bands', title: '分级与评语', Tab: BandsTab },
  { key: 'texts', title: '段落', Tab: TextsTab },
  { key: 'coverage', title: '覆盖检查', Tab: CoverageTab },
  { key: 'trial', title: '试一试', Tab: TrialTab },
  { key: 'norms', title: '常模', Tab: NormsTab },
];

/** 资料库: the bands and the texts of scores. */
export default function CommentsPage() {
  const [params, setParams] = useSearchParams();
  return (
    <PageStack>
      <Section>
        <Tabs
          value={params.get('tab') ?? 'bands'}
          onChange={(tab) => setParams(new URLSearchParams(tab && tab !== 'bands' ? { tab } : {}), { replace: true })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {tabs.map(({ key, title }) => (
              <Tabs.Tab key={key} value={key}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ key, Tab }) => (
            <Tabs.Panel key={key} value={key}>
              <Tab />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Section>
    </PageStack>
  );
}
