import { Button, Group, Text } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { call } from '#ui/api/call.ts';
import { Section } from '#ui/display/Section.tsx';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import { toInstant } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

const RELATIONS: Readonly<Record<string, string>> = { '01': '父亲', '02': '母亲', '03': '其他监护人' };

/** The guardians of a person and the state of their notification. Each look at a telephone number is audited. */
export function Guardians({
  detail,
  full,
  startStep,
}: {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}) {
  const { cuserid } = detail;
  const canDo = (action: string) => full.actions.some((item) => item.action === action && item.reasons.length === 0);
  const title = full.minor ? '监护人' : '家属';
  return (
    <Section
      title={title}
      right={
        canDo('notifyguardian') && (
          <Button size="compact-sm" variant="light" data-noprint onClick={() => startStep({ kind: 'notifyguardian' })}>
            登记告知
          </Button>
        )
      }
    >
      <Group gap="sm" mb="sm">
        {full.guardiantime ? (
          <Badge tone="green">{`已于 ${full.guardiantime.slice(5, 16)} 告知`}</Badge>
        ) : full.exemption?.isvalid ? (
          <Badge tone="gray">
            {full.exemption.until ? `暂不告知，至 ${full.exemption.until.slice(5, 16)}` : '已登记不告知理由'}
          </Badge>
        ) : full.guardianduetime ? (
          <span className={classes['due']}>
            <Badge tone="amber">待告知</Badge>
            <Clock deadline={toInstant(full.guardianduetime)} />
          </span>
        ) : (
          <Badge tone="gray">暂无告知时限</Badge>
        )}
      </Group>
      {full.exemption && (
        <Text size="sm" mb="sm">
          {`${full.exemption.title}：${full.guardianexempt}。改为告知：${full.exemption.alternate}`}
          {full.exemption.islapsed
            ? '（已到期，请告知或重新登记）'
            : !full.exemption.isvalid &&
              (full.exemption.ground === 1
                ? '（待第二人复核；不要联系疑似侵害的监护人，请立即报告公安、民政）'
                : '（待第二人复核，复核前仍须告知）')}
        </Text>
      )}
      {full.guardians.length === 0 ? (
        <Text size="sm" c="dimmed">
          档案中没有登记{title}，可在告知时直接填写姓名
        </Text>
      ) : (
        <ul className={classes['list']}>
          {full.guardians.map((guardian) => (
            <li key={guardian.guardianid}>
              {guardian.name}（{RELATIONS[guardian.relation] ?? '其他'}）{' '}
              {guardian.issuspect ? (
                <Badge tone="red">疑似侵害人，勿联系</Badge>
              ) : guardian.phonenumber ? (
                <PersonName
                  value={guardian.phonenumber}
                  what="查看电话"
                  isPhone
                  reveal={() =>
                    call(revealCUser, { cuserid }).then(
                      (person) =>
                        person.guardian.find((candidate) => candidate.guardianid === guardian.guardianid)?.phonenumber ?? '',
                    )
                  }
                />
              ) : (
                <span className={classes['quiet']}>未登记电话</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
