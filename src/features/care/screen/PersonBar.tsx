import { Anchor, Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { archivePathOf } from '#contract/population.ts';
import { call } from '#ui/api/call.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { TrendSection, type TrendChoice } from '#blocks/trend/TrendSection.tsx';
import type { FollowUpRow } from '#features/care/care.contract.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';

/** What staff need before they call: the telephone, which is audited, the scores over time, and the archive. */
export function PersonBar({ row, children }: { row: FollowUpRow; children?: ReactNode }) {
  const [phone, setPhone] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [isTrend, setIsTrend] = useState(false);
  const reveal = () => {
    setBusy(true);
    call(revealCUser, { cuserid: row.cuserid })
      .then(
        (person) => setPhone(person.phonenumber || person.guardian.find((item) => item.phonenumber)?.phonenumber || ''),
        notifyError,
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Group gap="xs">
        {can(revealCUser) &&
          (phone === undefined ? (
            <Button size="compact-sm" variant="light" loading={busy} title="将留下查看记录" onClick={reveal}>
              查看电话
            </Button>
          ) : phone ? (
            <Anchor href={`tel:${phone}`} fz={15} fw={600}>
              {phone}
            </Anchor>
          ) : (
            <span>未登记电话</span>
          ))}
        {can(getPHQ9ChartsData) && (
          <Button size="compact-sm" variant="default" aria-expanded={isTrend} onClick={() => setIsTrend(!isTrend)}>
            得分趋势
          </Button>
        )}
        <Anchor component={Link} fz={14} to={archivePathOf(row.appid, row.cuserid)}>
          档案
        </Anchor>
        {children}
      </Group>
      {isTrend && <PersonTrend cuserid={row.cuserid} />}
    </>
  );
}

function PersonTrend({ cuserid }: { cuserid: string }) {
  const [choice, setChoice] = useState<TrendChoice>();
  const read = useActionQuery(getPHQ9ChartsData, { cuserid, ...choice }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines />}>
      {(trend) => <TrendSection trend={trend} onChoose={setChoice} />}
    </Loaded>
  );
}
