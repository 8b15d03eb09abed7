import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { Can } from '#ui/api/Can.tsx';
import { call } from '#ui/api/call.ts';
import { EventTimeline, type TimelineEvent } from '#ui/display/EventTimeline.tsx';
import { Section } from '#ui/display/Section.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { Link } from '#ui/router/router.tsx';
import { pathOf as screenPath } from '#contract/menu.ts';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import { moveExam } from '#features/identity/identity.contract.ts';
import type { PersonFile } from '#features/archive/page/personFile.ts';

type Entry = PersonFile['timeline'][number];
const caseTypes: readonly Entry['type'][] = ['warning', 'interview', 'referral', 'interfere', 'followup'];
const pathOf = ({ type, refcode }: Entry): string =>
  refcode === ''
    ? ''
    : type === 'report'
      ? `/report/${refcode}`
      : caseTypes.includes(type)
        ? `/earlyWarning/case/${refcode}`
        : type === 'consult'
          ? `${screenPath('consult.forms')}?open=${refcode}`
          : '';
const TONES: Partial<Record<Entry['type'], TimelineEvent['tone']>> = {
  warning: 'red',
  interview: 'orange',
  referral: 'orange',
  archive: 'gray',
};

/** 时间线: what happened to the person, the newest first; older entries load on request. */
export function PersonTimeline({ file, onMove }: { file: PersonFile; onMove: () => void }) {
  const [more, setMore] = useState<{ entries: Entry[]; hasmore: number; of: PersonFile }>();
  const [busy, setBusy] = useState(false);
  const older = more?.of === file ? more : undefined;
  const entries = [...file.timeline, ...(older?.entries ?? [])];
  const load = () => {
    setBusy(true);
    call(getCUserArchive, { cuserid: file.cuser.cuserid, before: entries.at(-1)?.cursor })
      .then((next) => setMore({ entries: [...(older?.entries ?? []), ...next.timeline], hasmore: next.hasmore, of: file }))
      .catch(notifyError)
      .finally(() => setBusy(false));
  };
  return (
    <Section
      title="时间线"
      right={
        file.cuser.anonymized === 0 && (
          <Can call={moveExam}>
            <Button variant="default" onClick={onMove}>
              更正答卷归属
            </Button>
          </Can>
        )
      }
    >
      <EventTimeline
        label="时间线"
        events={entries.map((entry, index) => {
          const path = pathOf(entry);
          return {
            key: `${entry.cursor}${entry.type}${index}`,
            at: entry.time,
            title: path ? (
              <Anchor component={Link} to={path} fz="sm">
                {entry.title}
              </Anchor>
            ) : (
              entry.title
            ),
            tone: TONES[entry.type] ?? 'brand',
          };
        })}
      />
      {(older?.hasmore ?? file.hasmore) === 1 && (
        <Button variant="default" mt="md" loading={busy} onClick={load}>
          更早的记录
        </Button>
      )}
    </Section>
  );
}
