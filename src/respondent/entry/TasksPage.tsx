import { formatSpan } from '#domain/task/slots.ts';
import { PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';
import type { CallResponse } from '#respondent/api/api.ts';

export type Task = CallResponse<'getTasks'>[number];

/** Formats `2026-03-08 18:00:00` as 3月8日 18:00. */
const moment = (text: string) => {
  const match = /^\d{4}-(\d\d)-(\d\d)[ T](\d\d:\d\d)/.exec(text);
  return match ? `${Number(match[1])}月${Number(match[2])}日 ${match[3]}` : text;
};

/** Page 4: the list of tasks, shown when there is not exactly one. */
export function TasksPage({
  tasks,
  words,
  start,
  fault,
  consult,
  relax,
}: {
  tasks: readonly Task[];
  words: Words;
  start: (task: Task) => void;
  fault: string;
  /** leads to 预约咨询; absent on a kiosk */
  consult: (() => void) | undefined;
  /** leads to 放松与学习; absent on a kiosk */
  relax: (() => void) | undefined;
}) {
  if (tasks.length === 0) {
    return (
      <PageFrame heading="现在没有需要作答的测评">
        <p>可能已经全部完成，或者还没有到开放时间。如有疑问，请联系{words.helper}。</p>
        <WayButton name="放松与学习" open={relax} />
        <WayButton name="预约咨询" open={consult} />
      </PageFrame>
    );
  }
  return (
    <PageFrame heading="请选择要作答的测评">
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <ul className="tasks">
        {tasks.map((task) => (
          <li key={task.cuserplanid} className="card">
            <h2>{task.taskname || task.planname}</h2>
            <p className="quiet">
              共 {task.itemcount} 题 · 约 {task.minutes} 分钟
              {task.endtime && !task.slot ? ` · ${moment(task.endtime)} 前完成` : ''}
            </p>
            {task.slot && <p>作答时间：{formatSpan(task.slot)}</p>}
            {task.status === 2 ? (
              <p>已完成</p>
            ) : (
              <button type="button" className="primary" onClick={() => start(task)}>
                {task.status === 1 ? `继续（已答 ${task.answered} 题）` : '开始'}
              </button>
            )}
          </li>
        ))}
      </ul>
      {tasks.every(({ status }) => status === 2) && <WayButton name="放松与学习" open={relax} />}
      <WayButton name="预约咨询" open={consult} />
    </PageFrame>
  );
}

/** Leads to another part of the app; absent where the person may not go there. */
const WayButton = ({ name, open }: { name: string; open: (() => void) | undefined }) =>
  open && (
    <button type="button" onClick={open}>
      {name}
    </button>
  );
