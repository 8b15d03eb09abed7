import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useActionMutation } from '#ui/api/useAction.ts';
import { hasPermission, can } from '#ui/api/session.ts';
import { insertInterfere } from '#features/care/care.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';
import { acceptWarning, insertRiskAssess, insertWarningLog } from '#features/warning/handling/handling.contract.ts';
import { attachCaseFile, insertReturnAssess } from '#features/warning/files/casefile.contract.ts';
import { returnWord } from '#features/warning/case.labels.ts';
import { mayReturn } from '#features/warning/files/fileDrawers.tsx';
import type { Step, StepKind } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

/** What the state asks for first, and why. */
const ADVICE: Readonly<Record<string, { words: string; first: readonly string[] }>> = {
  '01': { words: '请先受理：受理后您是责任人，时限由您负责。', first: ['accept'] },
  '02': { words: '与当事人（必要时经班主任、家人）取得联系，核实作答是否属实。', first: ['verify'] },
  '03': {
    words: '完成结构化评估，告知监护人，再开始干预或转入随访观察。',
    first: ['assess', 'notifyguardian', 'intervene', 'observe'],
  },
  '04': { words: '记录干预，必要时转介；情况平稳后转入随访观察。', first: ['interfere', 'refer', 'observe'] },
  '05': { words: '跟进就诊情况并登记回执，再回到干预或转入随访观察。', first: ['feedback', 'observe', 'intervene'] },
  '06': { words: '按计划随访并安排复测；满足全部条件后结案。', first: ['follow', 'retest', 'close'] },
  '07': { words: '个案已结案。出现新的情况时会自动建立新预警，也可以重开。', first: [] },
  '08': { words: '已排除/误报。如有新的情况可以重开。', first: [] },
};
/** Own words for steps on this page; what a step is called in the domain otherwise. */
const LABELS: Readonly<Record<string, string>> = {
  assess: '结构化评估',
  interfere: '记录干预',
  feedback: '登记转介回执',
  follow: '完成随访',
  log: '添加记录',
  retest: '安排复测',
  attach: '上传附件',
  exclude: '排除/误报',
  exemptguardian: '登记不告知原因',
  confirm: '复核确认',
};

/** Steps that stay in sight; the others are in the menu. */
const OFTEN: readonly string[] = ['assess', 'notifyguardian', 'interfere', 'refer', 'follow', 'feedback', 'raise', 'log'];

export function NextStep({ detail, full, take }: { detail: WarningDetail; full: FullCase; take: (step: Step) => void }) {
  const accept = useActionMutation(acceptWarning, { successMessage: '已受理' });
  const { warningcode, state } = detail;
  const open = state !== '07' && state !== '08';
  const handles = hasPermission('warning.handle');
  const offered = new Map(full.actions.map((action) => [action.action, action]));
  const advice = ADVICE[state] ?? { words: '', first: [] };
  const nextFollow = full.followups.find((followup) => followup.status === '01' || followup.status === '03');
  const openReferral = full.referrals.find((referral) => referral.status === '01' || referral.status === '02');
  // Rows of work that are no step of the state, but belong to it.
  const works: [string, boolean][] = [
    ['assess', open && can(insertRiskAssess)],
    ['interfere', open && can(insertInterfere)],
    ['feedback', open && openReferral !== undefined],
    ['follow', open && nextFollow !== undefined && hasPermission('care.edit')],
    ['retest', open && can(createRetestTask)],
    ['return', open && mayReturn(state) && can(insertReturnAssess)],
    ['attach', open && can(attachCaseFile)],
    ['log', handles && can(insertWarningLog)],
  ];
  const possible = new Set([
    ...full.actions.filter((action) => action.reasons.length === 0).map((action) => action.action),
    ...works.filter(([, can]) => can).map(([name]) => name),
  ]);
  if (full.guardiantime) possible.delete('notifyguardian');
  if (full.guardiantime || full.guardianexempt) possible.delete('exemptguardian');
  const blocked = full.actions.filter((action) => action.reasons.length > 0);
  const first = advice.first.filter((name) => possible.has(name));
  if (possible.has('accept') && !first.includes('accept')) first.unshift('accept');
  // Whom the clock calls for comes first.
  if (detail.due?.kind === 'guardian' && possible.has('notifyguardian') && !first.includes('notifyguardian'))
    first.push('notifyguardian');
  const rest = [...possible].filter((name) => !first.includes(name));
  const others = OFTEN.filter((name) => rest.includes(name));
  const rare = rest.filter((name) => !OFTEN.includes(name));
  const label = (name: string) =>
    name === 'accept'
      ? '受理'
      : name === 'return'
        ? `${returnWord(full.sector)}评估`
        : (LABELS[name] ?? offered.get(name)?.label ?? name);
  const act = (name: string) => {
    if (name === 'accept') return accept.mutate({ warningcode });
    if (name === 'feedback' && openReferral) return take({ kind: 'feedback', id: openReferral.referralid });
    if (name === 'follow' && nextFollow) return take({ kind: 'follow', id: nextFollow.followupid });
    return take({ kind: name as StepKind } as Step);
  };
  return (
    <section className={classes['next']} aria-label="下一步" data-noprint>
      <h2>下一步</h2>
      <div style={{ fontSize: 14, color: 'var(--ink-2)' }}>{handles ? advice.words : '您可以查看该个案，处置由责任人进行。'}</div>
      {handles && (
        <>
          {first.length > 0 && (
            <div className={classes['doing']}>
              {first.map((name, index) => (
                <Button
                  key={name}
                  size="md"
                  variant={index === 0 ? 'filled' : 'light'}
                  loading={name === 'accept' && accept.isPending}
                  onClick={() => act(name)}
                >
                  {label(name)}
                </Button>
              ))}
            </div>
          )}
          {rest.length > 0 && (
            <div className={classes['doing']}>
              {others.map((name) => (
                <Button key={name} size="sm" variant="default" onClick={() => act(name)}>
                  {label(name)}
                </Button>
              ))}
              {rare.length > 0 && (
                <Menu position="bottom-start" withinPortal>
                  <Menu.Target>
                    <Button size="sm" variant="default" leftSection={<IconDots size={16} aria-hidden />}>
                      更多
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {rare.map((name) => (
                      <Menu.Item key={name} onClick={() => act(name)}>
                        {label(name)}
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              )}
            </div>
          )}
          {blocked.length > 0 && (
            <div className={classes['blocked']}>
              暂不能进行
              <ul>
                {blocked.map((item) => (
                  <li key={item.action}>
                    {label(item.action)}：{item.reasons.join('；')}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </section>
  );
}
