import { Button, CopyButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FollowMethod, FollowStatus, InterfereKind, ReferralStatus, WarningLevel } from '#domain/enums.ts';
import { EnumBadge, LevelBadge } from '#ui/badges.tsx';
import { May } from '#ui/May.tsx';
import { may } from '#ui/session.ts';
import { Section } from '#ui/Section.tsx';
import { insertFollowUp, insertInterfere } from '#features/care/care.contract.ts';
import { Checklist } from '#features/warning/Checklist.tsx';
import { Guardians } from '#features/warning/Guardians.tsx';
import { insertReferral, insertRiskAssess } from '#features/warning/handling.contract.ts';
import type { Step } from '#features/warning/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import { choiceLabel, RISK_FLAGS } from '#features/warning/casewords.ts';
import classes from './warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  take: (step: Step) => void;
}

/** Everything known about a case, in the order it is needed. */
export function CaseParts({ detail, full, take }: Props) {
  const open = detail.state !== '07' && detail.state !== '08';
  const followed = full.followups.filter((each) => each.status !== '05');
  return (
    <>
      <Section title="触发原因">
        <ul className={classes['list']}>
          {full.answers?.map((each) => (
            <li key={each.formname + each.question} className={classes['answer']}>
              {each.formname} {each.question}
              <br />
              作答：<b>{each.answer}</b>
            </li>
          ))}
          {full.triggers.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        {full.results.length > 0 && (
          <Group gap="xs" mt="sm">
            {full.results.slice(0, 6).map((each) => (
              <span key={each.examcode + each.quotaname} style={{ fontSize: 13 }}>
                {each.quotaname} {each.score ?? '—'} 分 <LevelBadge level={each.level} label={each.levelname} />
                <span className={classes['quiet']}> {each.submittime.slice(5, 10)}</span>
              </span>
            ))}
          </Group>
        )}
        <Group gap="md" mt="sm" data-noprint>
          {full.reports.slice(0, 3).map((each) => (
            <Link key={each.reportcode} to={`/report/${each.reportcode}`} style={{ fontSize: 13 }}>
              {each.title} {each.createtime.slice(5, 10)}
            </Link>
          ))}
          {full.earlier.length > 0 && <Text size="xs" c="dimmed">既往预警 {full.earlier.length} 次（最近 {full.earlier[0]?.createtime.slice(0, 10)}，{WarningLevel.label(full.earlier[0]?.level)}）</Text>}
        </Group>
        <Text size="xs" c="dimmed" mt="xs">筛查结果不等于医学诊断，须由专业人员面谈核实。</Text>
      </Section>

      <Section title="访谈评估" right={open && may(insertRiskAssess) && <Add words="结构化评估" onClick={() => take({ kind: 'assess' })} />}>
        <Rows of={full.assesses} none="尚未评估" name={(each) => each.assessid}>
          {(each) => (
            <>
              <Group gap="xs">
                <LevelBadge level={each.conclusionlevel} label={`结论 ${each.conclusionlevel === 0 ? '无明显风险' : WarningLevel.label(each.conclusionlevel)}`} />
                <span className={classes['quiet']}>
                  系统建议 {each.suggestedlevel} 级 · {each.assessorname} · {each.time.slice(0, 16)}
                </span>
              </Group>
              <div style={{ marginTop: 4 }}>
                意念：{choiceLabel('ideation', each.ideation)}；既往：{choiceLabel('attempthistory', each.attempthistory)}；支持：{choiceLabel('support', each.support)}
                {RISK_FLAGS.filter(([key]) => each[key] === 1).map(([, words]) => `；${words}`)}
                {each.infantharm === 1 && '；有伤害婴儿的想法'}
                {each.protective.length > 0 && `；保护因素：${each.protective.join('、')}`}
              </div>
              {each.asq && <div className={classes['quiet']}>ASQ：{each.asq}</div>}
              {each.note && <div style={{ whiteSpace: 'pre-line' }}>{each.note}</div>}
              {each.abuse === 1 && <Text size="sm" c="red" fw={600}>疑似侵害：须立即向公安机关报告</Text>}
            </>
          )}
        </Rows>
      </Section>

      <Guardians detail={detail} full={full} take={take} />

      <Section title="安全计划与干预" right={open && may(insertInterfere) && <Add words="记录干预" onClick={() => take({ kind: 'interfere' })} />}>
        {full.plantext && <p className={classes['script']} style={{ marginBottom: 12 }}>{full.plantext}</p>}
        <Rows of={full.interferes} none={full.plantext ? '尚无干预记录' : '尚无安全计划与干预记录'} name={(each) => each.interfereid}>
          {(each) => (
            <>
              <strong>{InterfereKind.label(each.kind)}</strong>{' '}
              <span className={classes['quiet']}>
                {each.begintime.slice(0, 16)}{each.minutes > 0 && ` · ${each.minutes} 分钟`} · {each.operatorname}
              </span>
              <div style={{ whiteSpace: 'pre-line' }}>{each.content}</div>
            </>
          )}
        </Rows>
      </Section>

      <Section title="转介" right={open && may(insertReferral) && <Add words="开具转介单" onClick={() => take({ kind: 'refer' })} />}>
        <Rows of={full.referrals} none="未转介" name={(each) => each.referralid}>
          {(each) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                <strong>{[each.tohospital, each.todept].filter(Boolean).join(' · ')}</strong> <EnumBadge of={ReferralStatus} code={each.status} tones={{ '01': 'amber', '02': 'lime', '03': 'red', '04': 'green' }} />
                {each.urgent === 1 && <Text component="span" size="sm" c="red"> 紧急</Text>}
                <div>{each.reason}</div>
                {(each.visitdate || each.feedback) && <div className={classes['quiet']}>回执：{[each.visitdate, each.feedback].filter(Boolean).join(' · ')}</div>}
              </div>
              {open && (
                <May hold="warning.handle">
                  <Button variant="subtle" size="compact-sm" data-noprint onClick={() => take({ kind: 'feedback', id: each.referralid })}>
                    登记回执
                  </Button>
                </May>
              )}
            </Group>
          )}
        </Rows>
      </Section>

      <Section title="随访与复测" right={open && may(insertFollowUp) && <Add words="新增随访" onClick={() => take({ kind: 'plan' })} />}>
        <Rows of={followed} none="尚未安排随访：转入随访观察时按等级自动安排" name={(each) => each.followupid}>
          {(each) => (
            <Group justify="space-between" wrap="nowrap" align="start">
              <div>
                第 {each.seq} 次 · {each.duetime.slice(0, 16)} · {FollowMethod.label(each.method)}{' '}
                <EnumBadge of={each.overdue ? { label: () => '已逾期' } : FollowStatus} code={each.status} tones={{ '01': each.overdue ? 'red' : 'amber', '02': 'green', '04': 'red' }} />
                {each.content && <div>{each.content}{each.currentlevel !== null && `（当前状态 ${each.currentlevel} 级）`}</div>}
              </div>
              {(each.status === '01' || each.status === '03') && open && (
                <May hold="care.edit">
                  <Button variant="subtle" size="compact-sm" data-noprint onClick={() => take({ kind: 'follow', id: each.followupid })}>
                    登记
                  </Button>
                </May>
              )}
            </Group>
          )}
        </Rows>
        {open && detail.entryurl && (
          <Group gap="xs" mt="sm" data-noprint>
            <Text size="sm" c="dimmed">复测：请本人再次扫描机构二维码作答，或发送入口链接</Text>
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

      {open ? (
        <Section title="结案条件（风险解除）">
          <Checklist label="结案条件" lines={full.criteria['01'] ?? []} />
          {full.confirmed && <Text size="xs" c="dimmed" mt="sm">已复核：{full.confirmed}</Text>}
        </Section>
      ) : (
        <Section title="结案">
          <div style={{ fontSize: 14 }}>{full.closenote}</div>
          <Text size="xs" c="dimmed">{full.closetime?.slice(0, 16)}{full.confirmed && ` · 复核：${full.confirmed}`}</Text>
        </Section>
      )}
    </>
  );
} // prettier-ignore

function Add({ words, onClick }: { words: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="light" data-noprint onClick={onClick}>
      {words}
    </Button>
  );
}

function Rows<T>({ of, none, name, children }: { of: readonly T[]; none: string; name: (each: T) => number; children: (each: T) => ReactNode }) {
  if (of.length === 0) return <Text size="sm" c="dimmed">{none}</Text>;
  return (
    <ul className={classes['list']}>
      {of.map((each) => (
        <li key={name(each)}>{children(each)}</li>
      ))}
    </ul>
  );
} // prettier-ignore
