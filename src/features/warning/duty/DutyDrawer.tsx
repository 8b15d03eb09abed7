import { ActionIcon, Alert, Button, Group, MultiSelect, Text } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getDutyList, updateDuty } from '#features/warning/duty/duty.contract.ts';
import classes from './DutyDrawer.module.css';

type Roster = NonNullable<ResponseOf<typeof getDutyList>['roster']>;
const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'];

/** 值班安排: the form with the duty staff and their days, by weekday and by date. */
export function DutyDrawer({ roster, onClose }: { roster: Roster; onClose: () => void }) {
  const form = useActionForm(updateDuty, {
    initial: {
      version: roster.version,
      duty: roster.staff.filter((item) => item.duty === 1).map((item) => item.userid),
      weekdays: roster.weekdays,
      dates: roster.dates,
    },
    invalidates: [getDutyList],
    onDone: onClose,
  });
  const [day, setDay] = useState<string | null>(null);
  const data = roster.staff.map(({ userid, realname, post, canhandle }) => ({
    value: userid,
    label: `${post ? `${realname}（${post}）` : realname}${canhandle ? '' : ' · 无预警处置权限，不计入值班'}`,
  }));
  const weekdays = form.values.weekdays ?? {};
  const dates = form.values.dates ?? {};
  const setDate = (date: string, userids: string[] | undefined) =>
    form.set('dates', Object.fromEntries(Object.entries({ ...dates, [date]: userids }).filter(([, ids]) => ids !== undefined)));
  return (
    <FormDrawer title="值班安排" onClose={onClose} form={form} width={560}>
      {roster.gaps.length > 0 && (
        <Alert
          color="yellow"
          role="status"
          style={{ flex: 'none' }}
          styles={{ title: { color: 'var(--ink)' } }}
          title={`未来 14 天有 ${roster.gaps.length} 天没有值班人员`}
        >
          {roster.gaps.map((date, index) => (
            <span key={date} style={{ whiteSpace: 'nowrap' }}>
              {date.slice(5)}
              {index < roster.gaps.length - 1 ? '、' : '。'}
            </span>
          ))}
          这些日子的值班会转给服务商。寒暑假、周末和节假日同样需要有名有姓的值班人员，请在下方指定。
        </Alert>
      )}
      <MultiSelect
        label="值班人员"
        description="未排班的日子由这些人员值班；新预警优先分给当日值班的心理老师"
        data={data}
        searchable
        value={[...(form.values.duty ?? [])]}
        onChange={(next) => form.set('duty', next)}
      />
      <div>
        <Text size="sm" fw={500} mb={4}>
          每周值班
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          每班自当日 06:00 至次日 06:00
        </Text>
        <table className={classes['roster']}>
          <tbody>
            {WEEKDAYS.map((name, index) => (
              <tr key={name}>
                <th scope="row" style={{ width: 56 }}>
                  {name}
                </th>
                <td>
                  <MultiSelect
                    aria-label={`${name}值班`}
                    placeholder={weekdays[String(index + 1)]?.length ? '' : '按值班人员'}
                    data={data}
                    value={[...(weekdays[String(index + 1)] ?? [])]}
                    onChange={(next) => form.set('weekdays', { ...weekdays, [String(index + 1)]: next })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          指定日期（节假日、调班）
        </Text>
        {Object.entries(dates)
          .sort()
          .map(([date, ids]) => (
            <Group key={date} gap="xs" mb={6} wrap="nowrap">
              <span style={{ width: 96 }}>{date}</span>
              <MultiSelect
                style={{ flex: 1 }}
                aria-label={`${date}值班`}
                data={data}
                value={[...ids]}
                onChange={(next) => setDate(date, next)}
              />
              <ActionIcon variant="subtle" color="gray" aria-label={`移除 ${date}`} onClick={() => setDate(date, undefined)}>
                <IconX size={16} />
              </ActionIcon>
            </Group>
          ))}
        <Group gap="xs">
          <DateInput aria-label="日期" placeholder="YYYY-MM-DD" value={day} onChange={setDay} />
          <Button
            variant="default"
            disabled={!day}
            onClick={() => {
              if (day) setDate(day, []);
              setDay(null);
            }}
          >
            添加日期
          </Button>
        </Group>
      </div>
    </FormDrawer>
  );
}
