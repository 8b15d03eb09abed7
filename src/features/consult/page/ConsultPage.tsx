import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { Section } from '#ui/display/Section.tsx';
import { Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog, lazyPage } from '#ui/router/lazyDialog.tsx';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import { pathOf } from '#contract/menu.ts';
import RecordsTab from '#features/consult/page/RecordsTab.tsx';

const CalendarTab = lazyPage(() =>
  import('#features/consult/schedule/CalendarTab.tsx').then((file) => ({ default: file.CalendarTab })),
);
const ScheduleTab = lazyPage(() =>
  import('#features/consult/schedule/ScheduleTab.tsx').then((file) => ({ default: file.ScheduleTab })),
);
const ConsultDrawer = lazyDialog(() => import('#features/consult/page/ConsultDrawer.tsx').then((file) => file.ConsultDrawer));
const FormsTab = lazyPage(() => import('#features/consult/page/FormsTab.tsx'));

const TABS = [
  ['records', '登记记录'],
  ['calendar', '日历'],
  ['schedule', '排班'],
  ['forms', '登记表设置'],
] as const;
type Tab = (typeof TABS)[number][0];

/** 登记表管理: the registrations, the calendar, the hours and the forms. The tab is in the address. */
export default function ConsultPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const tab = TABS.find(([key]) => key === params.get('tab'))?.[0] ?? 'records';
  // Each tab begins with its own filters.
  const open = (next: string | null) => navigate(`${pathOf('consult.forms')}${next === 'records' ? '' : `?tab=${next ?? ''}`}`);
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="sm">
        {TABS.map(([key, name]) => (
          <Tabs.Tab key={key} value={key}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Suspense fallback={<Skeletons.Lines />}>
          <TabContent tab={tab} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

function TabContent({ tab }: { tab: Tab }) {
  if (tab === 'forms') return <FormsTab />;
  if (tab === 'records') return <RecordsTab />;
  return (
    <>
      <Section>{tab === 'calendar' ? <CalendarTab /> : <ScheduleTab />}</Section>
      <OpenedConsult />
    </>
  );
}

/** The registration that the address names, beside the calendar or the hours. The list shows its own one. */
function OpenedConsult() {
  const [params, setParams] = useSearchParams();
  const consultid = Number(params.get('open') ?? 0);
  if (!consultid) return null;
  const open = (next?: number) =>
    setParams((newest) => {
      if (next === undefined) newest.delete('open');
      else newest.set('open', String(next));
      return newest;
    });
  return <ConsultDrawer key={consultid} consultid={consultid} sequence={[]} onMove={open} onClose={() => open()} />;
}
