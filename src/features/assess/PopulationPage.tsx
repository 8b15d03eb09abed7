import { SegmentedControl } from '@mantine/core';
import { Appid } from '#domain/base/enums.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { AllPersons } from '#features/assess/AllPersons.tsx';
import { DuePersons } from '#features/assess/DuePersons.tsx';
import type { Population } from '#blocks/person/archiveColumns.tsx';

/** 个体测评 of one population: who is due today, and all persons. The address says which list is open. */
function PopulationPage({ appid }: { appid: Population }) {
  const [params, setParams] = useSearchParams();
  const isAll = params.get('view') === 'all';
  const tabs = (
    <SegmentedControl
      aria-label="名单"
      value={isAll ? 'all' : 'due'}
      onChange={(view) => setParams(view === 'all' ? { view } : {})}
      data={[
        { value: 'due', label: '待测' },
        { value: 'all', label: '全部' },
      ]}
    />
  );
  return isAll ? <AllPersons appid={appid} tabs={tabs} /> : <DuePersons appid={appid} tabs={tabs} />;
}

export const MaternityPage = () => <PopulationPage appid={Appid.maternity} />;
export const StudentsPage = () => <PopulationPage appid={Appid.students} />;
export const WorkersPage = () => <PopulationPage appid={Appid.workers} />;
export const EldersPage = () => <PopulationPage appid={Appid.elders} />;
