import { Select } from '@mantine/core';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useFilter } from '#ui/list/filters.tsx';
import { getTaskList } from '#features/task/task.contract.ts';

/** The filter by task; `appid` leaves the tasks of one population. Tasks of earlier terms say their school year. */
export function TaskFilter({ appid }: { appid?: string | undefined }) {
  const [value, setValue] = useFilter('taskcode');
  const tasks = useActionQuery(getTaskList, can(getTaskList) ? (appid ? { appid } : {}) : undefined, { quiet: true }).data ?? [];
  return (
    <Select
      label="任务"
      placeholder="全部，可输入名称查找"
      searchable
      clearable
      nothingFoundMessage="没有找到"
      data={tasks.map(({ taskcode, taskname, year }) => ({
        value: taskcode,
        label: year && !taskname.includes(year) ? `${taskname}（${year}）` : taskname,
      }))}
      value={value || null}
      onChange={(next) => setValue(next ?? '')}
    />
  );
}
