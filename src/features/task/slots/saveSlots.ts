import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { findSlotFault, type Slot } from '#domain/task/slots.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findTaskTeams, setSlots } from '#features/task/slots/slots.queries.ts';

interface TaskWindow {
  taskcode: string;
  begintime: Date;
  endtime: Date;
}
const toClocks = ({ begintime, endtime }: Pick<TaskWindow, 'begintime' | 'endtime'>) => ({
  begintime: shanghaiTime(begintime),
  endtime: shanghaiTime(endtime),
});

/** Saves the slots of a task's classes. Refuses a slot of another class, and one outside the window of the task. */
export async function saveSlots(scope: Scope, task: TaskWindow, slots: readonly Slot[]): Promise<void> {
  const names = new Map((await findTaskTeams(scope, task.taskcode)).map(({ teamcode, teamname }) => [teamcode, teamname]));
  const refuse = (message: string, teamcode: string) => problems.invalid({ message }, { field: 'slots', data: { teamcode } });
  const stranger = slots.find(({ teamcode }) => !names.has(teamcode));
  if (stranger) throw refuse('时段只能给参加本任务的团体', stranger.teamcode);
  const fault = findSlotFault(slots, toClocks(task));
  if (fault) throw refuse(`${names.get(fault.teamcode) ?? ''}：${fault.reason}`, fault.teamcode);
  await setSlots(
    scope,
    task.taskcode,
    slots.map(({ teamcode, begintime, endtime }) => ({
      teamcode,
      begintime: fromShanghai(begintime),
      endtime: fromShanghai(endtime),
    })),
  );
}

/** Refuses a new window of a task that would leave the slot of a class outside. */
export async function assertSlotsWithin(scope: Scope, task: TaskWindow, field: 'begintime' | 'endtime'): Promise<void> {
  const teams = await findTaskTeams(scope, task.taskcode);
  const slots = teams.flatMap(({ teamcode, begintime, endtime }) =>
    begintime && endtime ? [{ teamcode, ...toClocks({ begintime, endtime }) }] : [],
  );
  const fault = findSlotFault(slots, toClocks(task));
  const name = teams.find(({ teamcode }) => teamcode === fault?.teamcode)?.teamname;
  if (fault) throw problems.invalid({ message: `${name ?? ''}的时段不在新的起止时间之内，请先调整各班时段` }, { field });
}
