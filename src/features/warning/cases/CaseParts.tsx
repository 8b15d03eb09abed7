import { ActionIcon, Button, CopyButton, Group, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FollowMethod, FollowStatus, InterfereKind, ReferralStatus, WarningLevel } from '#domain/base/enums.ts';
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
import { Papers } from '#features/warning/files/CaseFiles.tsx';
import { Guardians } from '#features/warning/cases/Guardians.tsx';
import { insertReferral, insertRiskAssess } from '#features/warning/handling/handling.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import { choiceLabel, RISK_FLAGS } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  take: (step: Step) => void;
}

/** Everything known about a case, in the order it is needed. */
export function CaseParts({ detail, full, take }: Props) {
  const open = detail.state !== '07' && detail.state !== '08';
  const remove = useActionMutation(deleteFollowUp, { successMessage: '删除成功' });
  const drop = async (each: FullCase['followups'][number]) => {
    if (await confirm({ text: `是否确认删除 ${each.duetime.slice(0, 16)} 的随访？`, danger: true }))
      remove.mutate({ followupid: each.followupid });
  };
  const followed = full.followups.filter((followup) => followup.status !== '05');
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
              {WarningLevel.label(full.earlier[0]?.level)}）
            </Text>
          )}
        </Group>
        <Text size="xs" c="dimmed" mt="xs">
          筛查结果不等于医学诊断，须由专业人员面谈核实。
        </Text>
      </Section>

      <Section
        title="访谈评估"
        right={open && can(insertRiskAssess) && <Add words="结构化评估" onClick={() => take({ kind: 'assess' })} />}
      >
        <Rows of={full.assesses} none="尚未评估" name={(each) => each.assessid}>
          {(each) => (
            <>
              <Group gap="xs">
                <LevelBadge
                  level={each.conclusionlevel}
                  label={`结论 ${each.conclusionlevel === 0 ? '无明显风险' : WarningLevel.label(each.conclusionlevel)}`}
                />
                <span className={classes['quiet']}>
                  系统建议 {each.suggestedlevel} 级 · {each.assessorname} · {each.time.slice(0, 16)}
                </span>
              </Group>
              <div style={{ marginTop: 4 }}>
                意念：{choiceLabel('ideation', each.ideation)}；既往：{choiceLabel('attempthistory', each.attempthistory)}；支持：
                {choiceLabel('support', each.support)}
                {RISK_FLAGS.filter(([key]) => each[key] === 1).map(([, words]) => `；${words}`)}
                {each.infantharm === 1 && '；有伤害婴儿的想法'}
                {each.protective.length > 0 && `；保护因素：${each.protective.join('、')}`}
              </div>
              {each.asq && <div className={classes['quiet']}>ASQ：{each.asq}</div>}
              {each.note && <div style={{ whiteSpace: 'pre-line' }}>{each.note}</div>}
              {each.abuse === 1 && (
                <Badge tone="red" shape={2}>
                  疑似侵害：须立即向公安机关报告
                </Badge>
              )}
            </>
          )}
        </Rows>
      </Section>

      <Guardians detail={detail} full={full} take={take} />

      <Section
        title="安全计划与干预"
        right={open && can(insertInterfere) && <Add words="记录干预" onClick={() => take({ kind: 'interfere' })} />}
      >
        {full.plantext && (
          <p className={classes['script']} style={{ marginBottom: 12 }}>
            {full.plantext}
          </p>
        )}
        <Rows
          of={full.interferes}
          none={full.plantext ? '尚无干预记录' : '尚无安全计划与干预记录'}
          name={(each) => each.interfereid}
        >
          {(each) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                <strong>{InterfereKind.label(each.kind)}</strong>{' '}
                <span className={classes['quiet']}>
                  {each.begintime.slice(0, 16)}
                  {each.minutes > 0 && ` · ${each.minutes} 分钟`} · {each.operatorname}
                  {each.effect !== null && ` · 效果 ${each.effect}/5`}
                </span>
                <div style={{ whiteSpace: 'pre-line' }}>{each.content}</div>
              </div>
              {open && each.mine === 1 && (
                <Mend
                  words={`干预记录 ${each.begintime.slice(0, 10)}`}
                  edit={can(updateInterfere) && (() => take({ kind: 'mendinterfere', id: each.interfereid }))}
                  drop={can(deleteInterfere) && (() => take({ kind: 'dropinterfere', id: each.interfereid }))}
                />
              )}
            </Group>
          )}
        </Rows>
      </Section>

      <Section
        title="转介"
        right={open && can(insertReferral) && <Add words="开具转介单" onClick={() => take({ kind: 'refer' })} />}
      >
        <Rows of={full.referrals} none="未转介" name={(each) => each.referralid}>
          {(each) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                <strong>{[each.tohospital, each.todept].filter(Boolean).join(' · ')}</strong>{' '}
                <EnumBadge
                  of={ReferralStatus}
                  code={each.status}
                  tones={{ '01': 'amber', '02': 'lime', '03': 'red', '04': 'green' }}
                />
                {each.urgent === 1 && (
                  <Badge tone="red" shape={2}>
                    紧急
                  </Badge>
                )}
                <div>{each.reason}</div>
                {(each.visitdate || each.feedback) && (
                  <div className={classes['quiet']}>回执：{[each.visitdate, each.feedback].filter(Boolean).join(' · ')}</div>
                )}
              </div>
              {open && (
                <Can hold="warning.handle">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    data-noprint
                    onClick={() => take({ kind: 'feedback', id: each.referralid })}
                  >
                    登记回执
                  </Button>
                </Can>
              )}
            </Group>
          )}
        </Rows>
      </Section>

      <Section
        title="随访与复测"
        right={
          open && (
            <Group gap={6}>
              {can(createRetestTask) && <Add words="安排复测" onClick={() => take({ kind: 'retest' })} />}
              {can(insertFollowUp) && <Add words="新增随访" onClick={() => take({ kind: 'plan' })} />}
            </Group>
          )
        }
      >
        <Rows of={followed} none="尚未安排随访：转入随访观察时按等级自动安排" name={(each) => each.followupid}>
          {(each) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                第 {each.seq} 次 · {each.duetime.slice(0, 16)} · {FollowMethod.label(each.method)}{' '}
                <EnumBadge
                  of={each.overdue ? { label: () => '已逾期' } : FollowStatus}
                  code={each.status}
                  tones={{ '01': each.overdue ? 'red' : 'amber', '02': 'green', '04': 'red' }}
                />
                {each.content && (
                  <div>
                    {each.content}
                    {each.currentlevel !== null && `（当前状态 ${each.currentlevel} 级）`}
                  </div>
                )}
              </div>
              {open && (
                <Can hold="care.edit">
                  <Group gap={4} wrap="nowrap" data-noprint>
                    {(each.status === '01' || each.status === '03') && (
                      <Button variant="subtle" size="compact-sm" onClick={() => take({ kind: 'follow', id: each.followupid })}>
                        登记
                      </Button>
                    )}
                    <Mend
                      words={`第 ${each.seq} 次随访`}
                      edit={can(updateFollowUp) && (() => take({ kind: 'mendfollow', id: each.followupid }))}
                      drop={waits(each.status) && can(deleteFollowUp) && (() => void drop(each))}
                    />
                  </Group>
                </Can>
              )}
            </Group>
          )}
        </Rows>
        {full.retests.length > 0 && (
          <ul className={classes['list']} style={{ marginTop: 12 }} aria-label="复测">
            {full.retests.map((retest) => (
              <li key={retest.taskcode}>
                <strong>复测</strong> {retest.planname}{' '}
                <Badge
                  tone={retest.status === 2 ? 'green' : retest.status === 4 ? 'red' : retest.taskstatus === 1 ? 'amber' : 'gray'}
                >
                  {retestWord(retest)}
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
        {open && detail.entryurl && (
          <Group gap="xs" mt="sm" data-noprint>
            <Text size="sm" c="dimmed">
              复测：请本人再次扫描机构二维码作答，或发送入口链接
            </Text>
            <CopyButton value={detail.entryurl}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy}>
                  {copied ? '已复制' : '复制入口链接'}
                </Button>
              )}
            </CopyButton>
          </Group>
        )}
      </Section>

      <Papers detail={detail} full={full} take={take} />

      {open ? (
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

const waits = (status: string) => status === '01' || status === '03';
/** Where a re-test stands. */
const retestWord = ({ status, taskstatus }: FullCase['retests'][number]) =>
  status === 2 ? '已完成' : status === 4 ? '作答存疑' : taskstatus !== 1 ? '未作答，已结束' : status === 1 ? '作答中' : '待作答';

/** Corrections, behind three dots: they are seldom needed. */
function Mend({ words, edit, drop }: { words: string; edit: false | (() => void); drop: false | (() => void) }) {
  if (!edit && !drop) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`更多操作：${words}`} data-noprint>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && <Menu.Item onClick={edit}>修改</Menu.Item>}
        {drop && (
          <Menu.Item color="red" onClick={drop}>
            删除
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Add({ words, onClick }: { words: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="light" data-noprint onClick={onClick}>
      {words}
    </Button>
  );
}

function Rows<T>({
  of,
  none,
  name,
  children,
}: {
  of: readonly T[];
  none: string;
  name: (each: T) => number;
  children: (each: T) => ReactNode;
}) {
  if (of.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  return (
    <ul className={classes['list']}>
      {of.map((item) => (
        <li key={name(item)}>{children(item)}</li>
      ))}
    </ul>
  );
}
