import { TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { Term } from '#domain/base/enums.ts';
import { EnumField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import type { TaskRow } from '#features/task/board/board.contract.ts';
import { updateAssessTask } from '#features/task/task.contract.ts';
import { formatMinute, yearOptions } from '#features/task/task.labels.ts';

/** Edits the name, school year and window of a task. A task keeps its plan. */
export function EditTaskDrawer({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const form = useActionForm(updateAssessTask, {
    initial: {
      taskcode: task.taskcode,
      version: task.version,
      taskname: task.taskname,
      begintime: formatMinute(task.begintime),
      endtime: formatMinute(task.endtime),
      resultshow: task.resultshow,
      ...(task.year ? { year: task.year } : {}),
      ...(task.term ? { term: task.term as '1' } : {}),
    },
    future: ['endtime'],
    onDone: onClose,
  });
  const time = (name: 'begintime' | 'endtime') => {
    const { label, required } = form.field(name);
    return (
      <DateTimePicker
        label={label}
        required={required}
        value={form.values[name] ? `${form.values[name]}:00`.slice(0, 19) : null}
        onChange={(value) => form.set(name, value?.slice(0, 16))}
        error={form.error(name)}
        data-path={name}
      />
    );
  };
  return (
    <FormDrawer title="修改任务" onClose={onClose} form={form}>
      <TextInput {...form.field('taskname')} />
      <SelectField {...form.field('year')} options={yearOptions(new Date())} />
      <EnumField {...form.field('term')} of={Term} />
      {time('begintime')}
      {time('endtime')}
      <SwitchField {...form.field('resultshow')} words="作答后受测者可查看自己的报告" />
    </FormDrawer>
  );
}
