import { formatNumber } from '#domain/base/number.ts';
/** The words with which a class is asked to finish an assessment. */

interface Named {
  username: string;
  /** student or staff number; '' when the roster has none */
  studentno: string;
}

const TAIL = 4;

/**
 * The names of a list in its order. Persons with the same name also have the end of their number: 王芳（尾号 0123）. The whole number
 * stands there when the ends are the same too.
 */
export function distinguishNames(people: readonly Named[]): string[] {
  return people.map(({ username, studentno }) => {
    const namesakes = people.filter((person) => person.username === username);
    if (namesakes.length < 2) return username;
    if (!studentno) return `${username}（无学号）`;
    const tail = studentno.slice(-TAIL);
    return namesakes.filter((person) => person.studentno.slice(-TAIL) === tail).length > 1
      ? `${username}（${studentno}）`
      : `${username}（尾号 ${tail}）`;
  });
}

/** The text for the group of a class. It names nobody unless `names` says so: parents and classmates read the group. */
export function chaseText(facts: {
  taskname: string;
  teamname: string;
  total: number;
  unfinished: number;
  /** the end of the task, as users read it */
  until: string;
  /** the time slot of the class, as users read it */
  slot?: string;
  isSlotOver?: boolean;
  entryurl: string | null;
  names?: readonly string[];
}): string {
  const { taskname, teamname, total, unfinished, until, slot, isSlotOver, entryurl, names } = facts;
  const request = !slot
    ? `请在 ${until} 前完成`
    : isSlotOver
      ? `本班的作答时间（${slot}）已过，请联系老师安排补测`
      : `本班的作答时间是 ${slot}，请按时作答`;
  return [
    `【${taskname}】${teamname}：应测 ${formatNumber(total)} 人，还有 ${formatNumber(unfinished)} 人未完成${names ? `：${names.join('、')}` : ''}。`,
    `${request}，约需几分钟；答卷由心理老师保管，不影响成绩与评优。`,
    ...(entryurl ? [`入口：${entryurl}`] : []),
  ].join('\n');
}
