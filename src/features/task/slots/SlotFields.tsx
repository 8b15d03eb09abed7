import { Button, Group, NumberInput, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { useState } from 'react';
import { arrangeSlots, type Slot } from '#domain/task/slots.ts';
import { SwitchField } from '#ui/form/fields.tsx';
import classes from '#features/task/slots/slots.module.css';

interface Props {
  /** the classes of the task in the order in which they are placed */
  teams: readonly { teamcode: string; teamname: string; membercount: number }[];
  /** the begin of the task, for the first class */
  begintime: string;
  slots: readonly Slot[];
  fault: string | undefined;
  onChange: (slots: Slot[]) => void;
}

/** Lets staff give each class a time slot: all at once, one after the other, or class by class. */
export function SlotFields({ teams, begintime, slots, fault, onChange }: Props) {
  const [isOn, setIsOn] = useState(slots.length > 0);
  const slotOf = (teamcode: string) => slots.find((slot) => slot.teamcode === teamcode);
  const others = (teamcode: string) => slots.filter((slot) => slot.teamcode !== teamcode);
  const change = (teamcode: string, name: 'begintime' | 'endtime', value: string | null) => {
    if (!value) return onChange(others(teamcode));
    const time = value.slice(0, 16);
    // A new slot gets its other end too, so that it is always whole.
    onChange([...others(teamcode), { teamcode, begintime: time, endtime: time, ...slotOf(teamcode), [name]: time }]);
  };
  return (
    <section aria-label="各班时段" className={classes['fields']}>
      <SwitchField
        label="各班时段"
        words="给每个班安排作答时段，错峰使用机房；不安排的班在起止时间内随时作答"
        value={isOn ? 1 : 0}
        onChange={
          ((next: 0 | 1) => {
            setIsOn(next === 1);
            if (next === 0) onChange([]);
          }) as never
        }
      />
      {isOn && (
        <>
          <Arrange
            begintime={begintime}
            onArrange={(arrangement) =>
              onChange(
                arrangeSlots(
                  teams.map(({ teamcode }) => teamcode),
                  arrangement,
                ),
              )
            }
          />
          {fault && (
            <Text c="red" size="sm" role="alert" id="task-slots" tabIndex={-1}>
              {fault}
            </Text>
          )}
          <ul className={classes['rows']}>
            {teams.map(({ teamcode, teamname, membercount }) => (
              <li key={teamcode} className={classes['row']}>
                <span className={classes['name']}>
                  {teamname}
                  <small>{membercount} 人</small>
                </span>
                {(['begintime', 'endtime'] as const).map((name) => (
                  <DateTimePicker
                    key={name}
                    size="sm"
                    aria-label={`${teamname}${name === 'begintime' ? '开始' : '结束'}`}
                    placeholder={name === 'begintime' ? '开始，可不安排' : '结束'}
                    valueFormat="MM-DD HH:mm"
                    clearable={name === 'endtime'}
                    clearButtonProps={{ 'aria-label': `${teamname}不安排时段` }}
                    value={slotOf(teamcode) ? `${slotOf(teamcode)?.[name]}:00` : null}
                    onChange={(value) => change(teamcode, name, value)}
                  />
                ))}
              </li>
            ))}
          </ul>
          <Text size="sm" c="dimmed">
            学生来早或来晚时，页面会告诉他本班的时间；已经开始作答的可以答完。
          </Text>
        </>
      )}
    </section>
  );
}

/** The line that places all classes one after the other. */
function Arrange({
  begintime,
  onArrange,
}: {
  begintime: string;
  onArrange: (arrangement: { begintime: string; minutes: number; pause: number; atOnce: number }) => void;
}) {
  const [begin, setBegin] = useState(begintime.slice(0, 16));
  const [minutes, setMinutes] = useState<number | string>(45);
  const [pause, setPause] = useState<number | string>(10);
  const [atOnce, setAtOnce] = useState<number | string>(1);
  const isWhole = (value: number | string, min: number): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= min;
  const arrangement =
    isWhole(minutes, 5) && isWhole(pause, 0) && isWhole(atOnce, 1) ? { begintime: begin, minutes, pause, atOnce } : undefined;
  return (
    <Group align="flex-end" gap="sm">
      <DateTimePicker
        label="第一个班开始"
        valueFormat="YYYY-MM-DD HH:mm"
        value={`${begin}:00`}
        onChange={(value) => value && setBegin(value.slice(0, 16))}
        w={190}
      />
      <NumberInput
        label="每班时长（分钟）"
        value={minutes}
        onChange={setMinutes}
        min={5}
        clampBehavior="none"
        error={!isWhole(minutes, 5) && '至少 5 分钟'}
        w={140}
      />
      <NumberInput
        label="间隔（分钟）"
        value={pause}
        onChange={setPause}
        min={0}
        clampBehavior="none"
        error={!isWhole(pause, 0) && '请填写整数'}
        w={120}
      />
      <NumberInput
        label="同时几个班"
        value={atOnce}
        onChange={setAtOnce}
        min={1}
        clampBehavior="none"
        error={!isWhole(atOnce, 1) && '至少 1 个'}
        w={120}
      />
      <Button variant="default" disabled={!arrangement} onClick={() => arrangement && onArrange(arrangement)}>
        依次排好
      </Button>
    </Group>
  );
}
