import { Alert, Button, Group, Text } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { Section } from '#ui/display/Section.tsx';
import { can } from '#ui/api/session.ts';
import { finishDuty } from '#features/warning/special/special.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase } from '#features/warning/warning.contract.ts';
import { toInstant } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

/** All pending deadlines of a case, the earliest first, and the duties with a record of their own. */
export function CaseClocks({ full, startStep }: { full: FullCase; startStep: (step: Step) => void }) {
  // The section 随访与复测 lists all follow-ups, so only the next one stands here.
  const nextFollowup = full.clocks.find(({ kind }) => kind === 'followup');
  const clocks = full.clocks.filter((clock) => clock.kind !== 'duty' && (clock.kind !== 'followup' || clock === nextFollowup));
  if (clocks.length === 0 && full.duties.length === 0 && !full.death && !full.transfer && !full.origin) return null;
  return (
    <Section title="期限与专项职责">
      {full.death && (
        <Alert color="gray" mb="sm" title={`已于 ${full.death.time.slice(0, 16)} 登记死亡，待第二人核实后结案`}>
          {full.death.source}
        </Alert>
      )}
      {full.transfer && !full.transfer.receipttime && (
        <Text size="sm" mb="sm">
          {full.transfer.islinked
            ? `已移交给 ${full.transfer.to}${full.transfer.linkedcode ? `（对方个案 ${full.transfer.linkedcode}）` : ''}。对方受理即为回执，此前仍由本机构负责。`
            : `已移交给 ${full.transfer.to}，等待回执。收到回执前仍由本机构负责。`}
        </Text>
      )}
      {full.origin && (
        <Text size="sm" mb="sm">
          {`由 ${full.origin.insname} 的个案 ${full.origin.warningcode} 于 ${full.origin.time.slice(0, 16)} 转入，对方联系人：${full.origin.contact}。`}
        </Text>
      )}
      {clocks.length > 0 && (
        <ul className={classes['list']} aria-label="进行中的期限">
          {clocks.map(({ kind, label, at }) => (
            <li key={kind + at}>
              <Group gap="xs" justify="space-between">
                <span>{label}</span>
                <Clock deadline={toInstant(at)} />
              </Group>
            </li>
          ))}
        </ul>
      )}
      {full.duties.length > 0 && (
        <ul className={`${classes['list']} ${classes['duties']}`} aria-label="专项职责">
          {full.duties.map((duty) => (
            <li key={duty.dutyid}>
              <Group gap="xs" justify="space-between" wrap="nowrap" align="start">
                <div>
                  {duty.title}
                  {duty.donetime && (
                    <Text size="xs" c="dimmed">
                      {[
                        duty.companion || duty.donetime.slice(0, 16),
                        duty.unit,
                        duty.receipt && `回执 ${duty.receipt}`,
                        duty.operatorname,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  )}
                </div>
                {duty.donetime ? (
                  <Badge tone="green">已完成</Badge>
                ) : (
                  <Group gap="xs" wrap="nowrap">
                    <Clock deadline={toInstant(duty.duetime)} />
                    {can(finishDuty) && (
                      <Button
                        size="compact-sm"
                        variant="light"
                        data-noprint
                        aria-label={`登记 ${duty.title}`}
                        onClick={() => startStep({ kind: 'duty', id: duty.dutyid })}
                      >
                        登记
                      </Button>
                    )}
                  </Group>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
