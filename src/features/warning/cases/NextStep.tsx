import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { needsSafetyPlan } from '#domain/warning/safetyPlan.ts';
import { hasPermission, can } from '#ui/api/session.ts';
import { insertInterfere } from '#features/care/care.contract.ts';
import { appointConsult } from '#features/consult/booking/booking.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';
import { useAcceptance } from '#features/warning/cases/useAcceptance.ts';
import { insertRiskAssess, insertWarningLog } from '#features/warning/handling/handling.contract.ts';
import { attachCaseFile, insertReturnAssess } from '#features/warning/files/casefile.contract.ts';
import { finishDuty } from '#features/warning/special/special.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { returnLabel } from '#features/warning/case.labels.ts';
import { canReturn } from '#features/warning/files/fileDrawers.tsx';
import type { Step, StepKind } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

/** The advice for each state and the steps to offer first. */
const ADVICE: Readonly<Record<string, { text: string; first: readonly string[] }>> = {
  '01': { text: '请先受理：受理后您是责任人，时限由您负责。', first: ['accept'] },
  '02': { text: '单独与本人取得联系，听一听近况，核实情况是否属实。', first: ['verify'] },
  '03': {
    text: '完成结构化评估，按要求告知监护人或家属，再开始干预或转入随访观察。',
    first: ['assess', 'notifyguardian', 'intervene', 'observe'],
  },
  '04': { text: '记录干预，必要时转介；情况平稳后转入随访观察。', first: ['interfere', 'refer', 'observe'] },
  '05': { text: '跟进就诊情况并登记回执，再回到干预或转入随访观察。', first: ['feedback', 'observe', 'intervene'] },
  '06': { text: '按计划随访并安排复测；满足全部条件后结案。', first: ['follow', 'retest', 'close'] },
  '07': { text: '个案已结案。出现新的情况时会自动建立新预警，也可以重开。', first: [] },
  '08': { text: '已排除/误报。如有新的情况可以重开。', first: [] },
};
/** Labels of steps on this page. Other steps use the label of the domain. */
const LABELS: Readonly<Record<string, string>> = {
  assess: '结构化评估',
  safetyplan: '安全计划',
  interfere: '记录干预',
  book: '预约咨询',
  feedback: '登记转介回执',
  follow: '完成随访',
  log: '添加记录',
  retest: '安排复测',
  attach: '上传附件',
  exclude: '排除/误报',
  exemptguardian: '登记不告知理由',
};

/** Steps with a button of their own. The menu has the others. */
const FREQUENT: readonly string[] = [
  'assess',
  'safetyplan',
  'notifyguardian',
  'interfere',
  'book',
  'refer',
  'follow',
  'feedback',
  'raise',
  'log',
];

/** The advice for the state of a case with buttons for the possible steps, and the reasons that block the others. */
export function NextStep({
  detail,
  full,
  startStep,
}: {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}) {
  const acceptance = useAcceptance();
  const { state } = detail;
  const isOpen = state !== '07' && state !== '08';
  const canHandle = hasPermission('warning.handle');
  const actionsByName = new Map(full.actions.map((action) => [action.action, action]));
  const advice = ADVICE[state] ?? { text: '', first: [] };
  const nextFollow = full.followups.find((followup) => followup.status === '01' || followup.status === '03');
  const openReferral = full.referrals.find((referral) => referral.status === '01' || referral.status === '02');
  // These steps do not change the state, so `full.actions` does not list them.
  const careSteps: [string, boolean][] = [
    ['assess', isOpen && can(insertRiskAssess)],
    ['safetyplan', isOpen && can(insertSafetyPlan)],
    ['interfere', isOpen && can(insertInterfere)],
    ['book', isOpen && can(appointConsult)],
    ['feedback', isOpen && openReferral !== undefined],
    ['follow', isOpen && nextFollow !== undefined && hasPermission('care.edit')],
    ['retest', isOpen && can(createRetestTask)],
    ['return', isOpen && canReturn(state) && can(insertReturnAssess)],
    ['attach', isOpen && can(attachCaseFile)],
    ['log', canHandle && can(insertWarningLog)],
  ];
  const available = new Set([
    ...full.actions.filter((action) => action.reasons.length === 0).map((action) => action.action),
    ...careSteps.filter(([, isPossible]) => isPossible).map(([name]) => name),
  ]);
  if (full.guardiantime) available.delete('notifyguardian');
  if (full.guardiantime || full.exemption?.isvalid) available.delete('exemptguardian');
  // The request to a second person stands above with its own buttons, and its step is not started twice.
  available.delete('confirm');
  const waiting = full.requests.find(
    ({ status, subject }) => status === '01' && subject !== 'exempt' && subject !== 'conclusion',
  );
  if (waiting) for (const name of ['close', 'exclude', 'transfer', 'correctdeath']) available.delete(name);
  const blocked = full.actions.filter((action) => action.reasons.length > 0 && action.action !== 'confirm');
  const first = advice.first.filter((name) => available.has(name));
  if (available.has('accept') && !first.includes('accept')) first.unshift('accept');
  // When the guardian is due next, the notification is among the first steps.
  if (detail.due?.kind === 'guardian' && available.has('notifyguardian') && !first.includes('notifyguardian'))
    first.push('notifyguardian');
  // Without a complete plan the case can neither go to intervention nor to observation.
  const needsPlan = full.safetyplan?.iscomplete !== 1 && needsSafetyPlan(full.assesses[0]?.suggestedlevel ?? null);
  if (needsPlan && available.has('safetyplan') && !first.includes('safetyplan')) first.unshift('safetyplan');
  // A duty that is due first, for example a report to the police, is the first step.
  const duty =
    detail.due?.kind === 'duty' && can(finishDuty)
      ? full.duties.filter(({ donetime }) => donetime === null).sort((a, b) => a.duetime.localeCompare(b.duetime))[0]
      : undefined;
  const rest = [...available].filter((name) => !first.includes(name));
  const frequent = FREQUENT.filter((name) => rest.includes(name));
  const rare = rest.filter((name) => !FREQUENT.includes(name));
  const label = (name: string) =>
    name === 'accept'
      ? '受理'
      : name === 'return'
        ? `${returnLabel(full.sector)}评估`
        : (LABELS[name] ?? actionsByName.get(name)?.label ?? name);
  const openStep = (name: string) => {
    if (name === 'accept') return acceptance.accept(detail);
    if (name === 'feedback' && openReferral) return startStep({ kind: 'feedback', id: openReferral.referralid });
    if (name === 'follow' && nextFollow) return startStep({ kind: 'follow', id: nextFollow.followupid });
    return startStep({ kind: name as StepKind } as Step);
  };
  return (
    <section className={classes['next']} aria-label="下一步" data-noprint>
      <h2>下一步</h2>
      <div style={{ fontSize: 14, color: 'var(--ink-2)' }}>
        {canHandle ? advice.text : '您可以查看该个案，处置由责任人进行。'}
      </div>
      {canHandle && (
        <>
          {(first.length > 0 || duty) && (
            <div className={classes['doing']}>
              {first.map((name, index) => (
                <Button
                  key={name}
                  size="md"
                  variant={index === 0 ? 'filled' : 'light'}
                  loading={name === 'accept' && acceptance.pending !== undefined}
                  onClick={() => openStep(name)}
                >
                  {label(name)}
                </Button>
              ))}
              {duty && (
                <Button size="md" variant="light" onClick={() => startStep({ kind: 'duty', id: duty.dutyid })}>
                  {`登记${duty.title.split('：')[0]}`}
                </Button>
              )}
            </div>
          )}
          {rest.length > 0 && (
            <div className={classes['doing']}>
              {frequent.map((name) => (
                <Button key={name} size="sm" variant="default" onClick={() => openStep(name)}>
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
                      <Menu.Item key={name} onClick={() => openStep(name)}>
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
