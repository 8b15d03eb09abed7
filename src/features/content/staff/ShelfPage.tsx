import { Tabs } from '@mantine/core';
import { ContentKind, type ContentKindCode } from '#domain/content/content.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { ArticlesTab } from '#features/content/staff/ArticlesTab.tsx';
import { CoursesTab } from '#features/content/staff/CoursesTab.tsx';
import { MusicBar } from '#features/content/staff/MusicBar.tsx';
import { MusicTab } from '#features/content/staff/MusicTab.tsx';
import { useMusic } from '#features/content/staff/useMusic.ts';

/** 资讯与课程: the articles, music and courses for staff. The tab stands in the address; music goes on in every tab. */
export default function ShelfPage() {
  const [params, setParams] = useSearchParams();
  const music = useMusic();
  const tab = ContentKind.codes.find((kind) => kind === params.get('tab')) ?? 'article';
  const choose = (kind: ContentKindCode) => setParams(kind === 'article' ? {} : { tab: kind });
  return (
    <PageStack>
      <Section>
        <Tabs value={tab} onChange={(kind) => choose((kind ?? 'article') as ContentKindCode)} keepMounted={false}>
          <Tabs.List mb="md">
            {ContentKind.options.map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="article">
            <ArticlesTab />
          </Tabs.Panel>
          <Tabs.Panel value="music">
            <MusicTab music={music} />
          </Tabs.Panel>
          <Tabs.Panel value="course">
            <CoursesTab />
          </Tabs.Panel>
        </Tabs>
      </Section>
      <MusicBar music={music} />
    </PageStack>
  );
}
