import { Drawer, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { termBefore, termOf } from '#domain/statistics/term.ts';
import { SupervisionState, SupervisionStep } from '#domain/supervision/supervision.ts';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { EventTimeline, type TimelineEvent } from '#ui/display/EventTimeline.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import type { SupervisionRow, SupervisionStepRow } from '#features/supervision/supervision.contract.ts';

const STATE_TONES = { '01': 'amber', '02': 'lime', '03': 'green' } as const;
const STEP_TONES: Partial<Record<SupervisionStepRow['kind'], TimelineEvent['tone']>> = { return: 'orange', close: 'gray' };

/** The current term and the one before, for the filter. */
export const recentTerms = () => {
  const current = termOf(shanghaiDate(new Date()));
  const [year] = current.year.split('-').map(Number) as [number];
  const terms = [year, year - 1].flatMap((first) => ['2', '1'].map((term) => ({ year: `${first}-${first + 1}`, term })));
  const before = termBefore(terms, current);
  return [current, ...(before ? [before] : [])];
};

/** The state of a 督办, and whether an answer is or was late. */
export function SupervisionBadge({ row }: { row: Pick<SupervisionRow, 'state' | 'isoverdue' | 'islate'> }) {
  return (
    <Group gap={6} wrap="nowrap">
      <EnumBadge of={SupervisionState} code={row.state} tones={STATE_TONES} />
      {row.isoverdue === 1 ? <Badge tone="red">逾期未回复</Badge> : row.islate === 1 && <Badge tone="orange">曾逾期</Badge>}
    </Group>
  );
}

/** The number of the 督办 in the address, and its setter. A link from a message opens it. */
export function useOpened(): [number | undefined, (supervisionid: number | undefined) => void] {
  const [params, setParams] = useSearchParams();
  const opened = Number(params.get('supervisionid') ?? 0) || undefined;
  return [
    opened,
    (supervisionid) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (supervisionid === undefined) next.delete('supervisionid');
        else next.set('supervisionid', String(supervisionid));
        return next;
      }),
  ];
}

/** The drawer of one 督办. */
export const SupervisionDrawer = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Drawer opened onClose={onClose} size="min(560px, 100vw)" title="督办" closeButtonProps={{ 'aria-label': '关闭' }}>
    {children}
  </Drawer>
);

/** What both sides read of a 督办: its facts and its steps, the newest first. `children` stand between them. */
export function SupervisionView({
  supervision,
  more = [],
  children,
}: {
  supervision: SupervisionRow & { steps: readonly SupervisionStepRow[] };
  more?: readonly (readonly [label: string, value: ReactNode])[];
  children?: ReactNode;
}) {
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          ['机构', supervision.insname],
          ['督办单位', supervision.authorityname],
          ['状态', <SupervisionBadge key="state" row={supervision} />],
          ['回复期限', supervision.duedate],
          ...more,
        ]}
      />
      {children}
      <EventTimeline
        label="办理过程"
        events={[...supervision.steps].reverse().map((step) => ({
          key: step.stepid,
          at: step.time,
          title: `${SupervisionStep.label(step.kind)}${step.islate === 1 ? '（逾期）' : ''}`,
          who: [step.insname, step.operatorname].filter(Boolean).join(' '),
          tone: STEP_TONES[step.kind] ?? 'brand',
          body: (
            <>
              {step.content && (
                <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                  {step.content}
                </Text>
              )}
              {step.duedate && (
                <Text size="xs" c="dimmed">
                  请于 {step.duedate} 前回复
                </Text>
              )}
            </>
          ),
        }))}
      />
    </Stack>
  );
}
