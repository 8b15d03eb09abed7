import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { FollowMethod, FollowStatus, InterfereKind, ReferralStatus } from '#domain/base/enums.ts';
import { CaseConsults } from '#blocks/consult/CaseConsults.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Badge, EnumBadge, LevelBadge } from '#ui/display/badges.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import { Section } from '#ui/display/Section.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import {
  deleteFollowUp,
  deleteInterfere,
  insertFollowUp,
  insertInterfere,
  updateFollowUp,
  updateInterfere,
} from '#features/care/care.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';
import { Checklist } from '#features/warning/handling/Checklist.tsx';
import { CaseFiles } from '#features/warning/files/CaseFiles.tsx';
import { AssessItem } from '#features/warning/interview/AssessItem.tsx';
import { SafetyPlanSection } from '#features/warning/plan/SafetyPlanSection.tsx';
import { levelName } from '#domain/warning/levels.ts';
import { Guardians } from '#features/warning/cases/Guardians.tsx';
import { insertReferral, insertRiskAssess } from '#features/warning/handling/handling.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}

/** The sections of a case, in the order of the work: reasons, interview, guardians, care, closing. */
export function CaseParts({ detail, full, startStep }: Props) {
  const isOpen = detail.state !== '07' && detail.state !== '08';
  const remove = useActionMutation(deleteFollowUp, { successMessage: '删除成功' });
  const deleteFollowup = async (followup: FullCase['followups'][number]) => {
    if (await confirm({ text: `是否确认删除 ${followup.duetime.slice(0, 16)} 的随访？`, danger: true }))
      remove.mutate({ followupid: followup.followupid });
  };
  const activeFollowups = full.followups.filter((followup) => followup.status !== '05');
  return (
    <>
      <Section title="触发原因">
        <ul className={classes['list']}>
          {full.answers?.map((answer) => (
            <li key={answer.formname + answer.question} className={classes['answer']}>
              {answer.formname} {answer.question}
              <br />
              作答：<b>{answer.answer}</b>
            </li>
          ))}
          {full.triggers.map((trigger) => (
            <li key={trigger}>{trigger}</li>
          ))}
        </ul>
        {full.results.length > 0 && (
          <Group gap="xs" mt="sm">
            {full.results.slice(0, 6).map((result) => (
              <span key={result.examcode + result.quotaname} style={{ fontSize: 13 }}>
                {result.quotaname} {result.score ?? '—'} 分 <LevelBadge level={result.level} label={result.levelname} />
                <span className={classes['quiet']}> {result.submittime.slice(5, 10)}</span>
              </span>
            ))}
          </Group>
        )}
        <Group gap="md" mt="sm" data-noprint>
          {full.reports.slice(0, 3).map((report) => (
            <Link key={report.reportcode} to={`/report/${report.reportcode}`} style={{ fontSize: 13 }}>
              {report.title} {report.createtime.slice(5, 10)}
            </Link>
          ))}
          {full.earlier.length > 0 && (
            <Text size="xs" c="dimmed">
              既往预警 {full.earlier.length} 次（最近 {full.earlier[0]?.createtime.slice(0, 10)}，
              {levelName(full.earlier[0]?.level, full.sector)}）
            </Text>
          )}
        </Group>
        <Text size="xs" c="dimmed" mt="xs">
          筛查结果不等于医学诊断，须由专业人员面谈核实。
        </Text>
      </Section>

      <Section
        title="访谈评估"
        right={isOpen && can(insertRiskAssess) && <AddButton label="结构化评估" onClick={() => startStep({ kind: 'assess' })} />}
      >
        <RecordList records={full.assesses} emptyText="尚未评估" keyOf={(assess) => assess.assessid}>
          {(assess) => <AssessItem assess={assess} sector={full.sector} />}
        </RecordList>
      </Section>

      <Guardians detail={detail} full={full} startStep={startStep} />

      <SafetyPlanSection detail={detail} full={full} startStep={startStep} />

      <Section
        title="干预"
        right={isOpen && can(insertInterfere) && <AddButton label="记录干预" onClick={() => startStep({ kind: 'interfere' })} />}
      >
        <RecordList records={full.interferes} emptyText="尚无干预记录" keyOf={(interfere) => interfere.interfereid}>
          {(interfere) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                <strong>{InterfereKind.label(interfere.kind)}</strong>{' '}
                <span className={classes['quiet']}>
                  {interfere.begintime.slice(0, 16)}
                  {interfere.minutes > 0 && ` · ${interfere.minutes} 分钟`} · {interfere.operatorname}
                  {interfere.effect !== null && ` · 效果 ${interfere.effect}/5`}
                </span>
                <div style={{ whiteSpace: 'pre-line' }}>{interfere.content}</div>
              </div>
              {isOpen && interfere.mine === 1 && (
                <CorrectionMenu
                  label={`干预记录 ${interfere.begintime.slice(0, 10)}`}
                  onEdit={can(updateInterfere) && (() => startStep({ kind: 'editinterfere', id: interfere.interfereid }))}
                  onDelete={can(deleteInterfere) && (() => startStep({ kind: 'deleteinterfere', id: interfere.interfereid }))}
                />
              )}
            </Group>
          )}
        </RecordList>
      </Section>

      <CaseConsults warningcode={detail.warningcode} onBook={isOpen && (() => startStep({ kind: 'book' }))} />

      <Section
        title="转介"
        right={isOpen && can(insertReferral) && <AddButton label="开具转介单" onClick={() => startStep({ kind: 'refer' })} />}
      >
        <RecordList records={full.referrals} emptyText="未转介" keyOf={(referral) => referral.referralid}>
          {(referral) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                <strong>{[referral.tohospital, referral.todept].filter(Boolean).join(' · ')}</strong>{' '}
                <EnumBadge
                  of={ReferralStatus}
                  code={referral.status}
                  tones={{ '01': 'amber', '02': 'lime', '03': 'red', '04': 'green' }}
                />
                {referral.urgent === 1 && (
                  <Badge tone="red" shape={2}>
                    紧急
                  </Badge>
                )}
                <div>{referral.reason}</div>
                {(referral.visitdate || referral.feedback) && (
                  <div className={classes['quiet']}>
                    回执：{[referral.visitdate, referral.feedback].filter(Boolean).join(' · ')}
                  </div>
                )}
              </div>
              {isOpen && (
                <Can hold="warning.handle">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    data-noprint
                    onClick={() => startStep({ kind: 'feedback', id: referral.referralid })}
                  >
                    登记回执
                  </Button>
                </Can>
              )}
            </Group>
          )}
        </RecordList>
      </Section>

      <Section
        title="随访与复测"
        right={
          isOpen && (
            <Group gap={6}>
              {can(createRetestTask) && <AddButton label="安排复测" onClick={() => startStep({ kind: 'retest' })} />}
              {can(insertFollowUp) && <AddButton label="新增随访" onClick={() => startStep({ kind: 'plan' })} />}
            </Group>
          )
        }
      >
        <RecordList
          records={activeFollowups}
          emptyText="尚未安排随访：转入随访观察时按等级自动安排"
          keyOf={(followup) => followup.followupid}
        >
          {(followup) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                第 {followup.seq} 次 · {followup.duetime.slice(0, 16)} · {FollowMethod.label(followup.method)}{' '}
                <EnumBadge
                  of={followup.overdue ? { label: () => '已逾期' } : FollowStatus}
                  code={followup.status}
                  tones={{ '01': followup.overdue ? 'red' : 'amber', '02': 'green', '04': 'red' }}
                />
                {followup.content && (
                  <div>
                    {followup.content}
                    {followup.currentlevel !== null && `（当前状态：${levelName(followup.currentlevel, full.sector)}）`}
                  </div>
                )}
              </div>
              {isOpen && (
                <Can hold="care.edit">
                  <Group gap={4} wrap="nowrap" data-noprint>
                    {(followup.status === '01' || followup.status === '03') && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        onClick={() => startStep({ kind: 'follow', id: followup.followupid })}
                      >
                        登记
                      </Button>
                    )}
                    <CorrectionMenu
                      label={`第 ${followup.seq} 次随访`}
                      onEdit={can(updateFollowUp) && (() => startStep({ kind: 'editfollowup', id: followup.followupid }))}
                      onDelete={isWaiting(followup.status) && can(deleteFollowUp) && (() => void deleteFollowup(followup))}
                    />
                  </Group>
                </Can>
              )}
            </Group>
          )}
        </RecordList>
        {full.retests.length > 0 && (
          <ul className={classes['list']} style={{ marginTop: 12 }} aria-label="复测">
            {full.retests.map((retest) => (
              <li key={retest.taskcode}>
                <strong>复测</strong> {retest.planname}{' '}
                <Badge
                  tone={retest.status === 2 ? 'green' : retest.status === 4 ? 'red' : retest.taskstatus === 1 ? 'amber' : 'gray'}
                >
                  {retestLabel(retest)}
                </Badge>
                <div className={classes['quiet']}>
                  {retest.submittime
                    ? `${retest.submittime.slice(0, 16)} 交卷`
                    : `${retest.begintime.slice(0, 16)} 至 ${retest.endtime.slice(0, 16)}`}
                </div>
                {full.results
                  .filter((result) => result.examcode === retest.examcode)
                  .map((result) => (
                    <span key={result.quotaname} style={{ fontSize: 13, marginRight: 12 }}>
                      {result.quotaname} {result.score ?? '—'} 分 <LevelBadge level={result.level} label={result.levelname} />
                    </span>
                  ))}
              </li>
            ))}
          </ul>
        )}
        {isOpen && detail.entryurl && (
          <Group gap="xs" mt="sm" data-noprint>
            <Text size="sm" c="dimmed">
              复测：请本人再次扫描机构二维码作答，或发送入口链接
            </Text>
            <CopyTextButton text={detail.entryurl} size="compact-sm">
              复制入口链接
            </CopyTextButton>
          </Group>
        )}
      </Section>

      <CaseFiles detail={detail} full={full} startStep={startStep} />

      {isOpen ? (
        <Section title="结案条件（风险解除）">
          <Checklist label="结案条件" lines={full.criteria['01'] ?? []} />
          {full.confirmed && (
            <Text size="xs" c="dimmed" mt="sm">
              已复核：{full.confirmed}
            </Text>
          )}
        </Section>
      ) : (
        <Section title="结案">
          <div style={{ fontSize: 14 }}>{full.closenote}</div>
          <Text size="xs" c="dimmed">
            {full.closetime?.slice(0, 16)}
            {full.confirmed && ` · 复核：${full.confirmed}`}
          </Text>
        </Section>
      )}
    </>
  );
}

const isWaiting = (status: string) => status === '01' || status === '03';
/** The label of a re-test's state. */
const retestLabel = ({ status, taskstatus }: FullCase['retests'][number]) =>
  status === 2 ? '已完成' : status === 4 ? '作答存疑' : taskstatus !== 1 ? '未作答，已结束' : status === 1 ? '作答中' : '待作答';

interface CorrectionProps {
  label: string;
  onEdit: false | (() => void);
  onDelete: false | (() => void);
}
/** The menu to edit or delete a record. It is behind three dots because staff seldom need it. */
function CorrectionMenu({ label, onEdit, onDelete }: CorrectionProps) {
  if (!onEdit && !onDelete) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`更多操作：${label}`} data-noprint>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && <Menu.Item onClick={onEdit}>修改</Menu.Item>}
        {onDelete && (
          <Menu.Item color="red" onClick={onDelete}>
            删除
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="light" data-noprint onClick={onClick}>
      {label}
    </Button>
  );
}

function RecordList<T>({
  records,
  emptyText,
  keyOf,
  children,
}: {
  records: readonly T[];
  emptyText: string;
  keyOf: (record: T) => number;
  children: (record: T) => ReactNode;
}) {
  if (records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {emptyText}
      </Text>
    );
  return (
    <ul className={classes['list']}>
      {records.map((record) => (
        <li key={keyOf(record)}>{children(record)}</li>
      ))}
    </ul>
  );
}
