import { levelName } from '#domain/warning/levels.ts';
import { Button, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { describeMeans, MeansStatus, needsSafetyPlan, PlanMeans } from '#domain/warning/safetyPlan.ts';
import { can } from '#ui/api/session.ts';
import { Badge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import { getSafetyPlan, insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import type { SafetyPlanView } from '#features/warning/plan/planFields.contract.ts';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import warningClasses from '#features/warning/warning.module.css';
import classes from './plan.module.css';

/** The safety plan of a case: its content, the missing parts, its versions, and the sheet to print. */
export function SafetyPlanSection({
  detail,
  full,
  startStep,
}: {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}) {
  const isOpen = detail.state !== '07' && detail.state !== '08';
  const plan = full.safetyplan;
  const [, ...earlier] = full.planversions;
  return (
    <Section
      title="安全计划"
      right={
        <Group gap={6} data-noprint>
          {plan && can(getSafetyPlan) && (
            <Button
              component={Link}
              to={`/safetyplan/${plan.planid}`}
              size="compact-sm"
              variant="default"
              leftSection={<IconPrinter size={14} aria-hidden />}
            >
              打印给本人
            </Button>
          )}
          {isOpen && can(insertSafetyPlan) && (
            <Button size="compact-sm" variant="light" onClick={() => startStep({ kind: 'safetyplan' })}>
              {plan ? '更新' : '填写安全计划'}
            </Button>
          )}
        </Group>
      }
    >
      {plan ? <PlanContent plan={plan} /> : <MissingPlan full={full} isOpen={isOpen} />}
      {full.plantext && (
        <div style={{ marginTop: plan ? 12 : 8 }}>
          <Text size="xs" c="dimmed" mb={4}>
            此前的安全计划（文字）
          </Text>
          <p className={warningClasses['script']}>{full.plantext}</p>
        </div>
      )}
      {earlier.length > 0 && (
        <Group gap="md" mt="sm" data-noprint>
          {earlier.map((version) => (
            <Link key={version.planid} to={`/safetyplan/${version.planid}`} style={{ fontSize: 13 }}>
              第 {version.version} 版 {version.time.slice(0, 16)}
            </Link>
          ))}
        </Group>
      )}
    </Section>
  );
}

function MissingPlan({ full, isOpen }: { full: FullCase; isOpen: boolean }) {
  const isNeeded = isOpen && needsSafetyPlan(full.assesses[0]?.suggestedlevel ?? null);
  return isNeeded ? (
    <p className={classes['gaps']}>
      系统建议“{levelName(2, full.sector)}”及以上：开始干预或转入随访观察前，须和本人一起写好安全计划。
    </p>
  ) : (
    <Text size="sm" c="dimmed">
      尚无安全计划
    </Text>
  );
}

function PlanContent({ plan }: { plan: SafetyPlanView }) {
  const people = plan.helpers.map(({ name, relation, phonenumber, issuspect }) => {
    const note = issuspect === 1 ? ' · 疑似伤害来源，不印出' : '';
    return `${name}${relation && `（${relation}）`}${phonenumber && ` ${phonenumber}`}${note}`;
  });
  const services = plan.services.map(({ name, phonenumber, hours }) => [name, phonenumber, hours].filter(Boolean).join(' · '));
  const rows: [string, string][] = [
    ['我的预警信号', plan.warningsigns],
    ['我自己能做的事', plan.coping],
    ['让我分心的人和地方', plan.distractions],
    ['我可以求助的人', people.join('\n')],
    ['专业帮助', services.join('\n')],
    [
      '让环境更安全',
      plan.means
        .map((row) => `${PlanMeans.label(row.kind)}：${describeMeans(row)}${row.note ? `（${row.note}）` : ''}`)
        .join('\n'),
    ],
    ['对我重要的人和事', plan.importantthings],
    ['副本给谁', plan.copies],
    ['复查日', plan.reviewdate ?? ''],
  ];
  const hasOpenMeans = plan.means.some(({ status }) => status === MeansStatus.open);
  return (
    <>
      <Group gap="xs" mb="sm">
        <Badge tone={plan.iscomplete === 1 ? 'green' : 'amber'}>{plan.iscomplete === 1 ? '完整' : '未完整'}</Badge>
        {hasOpenMeans && (
          <Badge tone="red" shape={2}>
            有未处理的危险物品
          </Badge>
        )}
        <span className={warningClasses['quiet']}>
          第 {plan.version} 版 · {plan.operatorname} · {plan.time.slice(0, 16)}
        </span>
      </Group>
      {plan.gaps.length > 0 && <p className={classes['gaps']}>尚缺：{plan.gaps.join('、')}</p>}
      <dl className={classes['facts']} style={plan.gaps.length > 0 ? { marginTop: 10 } : undefined}>
        {rows
          .filter(([, text]) => text !== '')
          .map(([title, text]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}
