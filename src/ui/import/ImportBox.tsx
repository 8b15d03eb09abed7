import { Modal, Switch, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { shanghaiDate } from '#domain/calendar.ts';
import { schoolYearOf } from '#domain/grades.ts';
import type { PersonKind } from '#contract/importSheet.ts';
import {
  checkAssessTeamRoster,
  checkZLBCUserFromExcel,
  exportRosterTemplate,
  type RosterResult,
  type RosterVerdict,
  type StagedRoster,
} from '#features/team/roster.contract.ts';
import { ExportButton } from '#ui/ExportButton.tsx';
import { ImportCheck } from '#ui/import/ImportCheck.tsx';
import { ImportDone } from '#ui/import/ImportDone.tsx';
import { ImportStart } from '#ui/import/ImportStart.tsx';
import { rosterCalls } from '#ui/import/rosterCalls.ts';
import { upload } from '#ui/transfer.ts';
import { refreshed } from '#ui/useAction.ts';

export interface ImportProps {
  kind: PersonKind;
  title: string;
  onClose: () => void;
  /** Students only: the team they join. */
  teamcode?: string;
}

/** The dialog of an import of persons. */
export function ImportBox({ kind, title, onClose, teamcode }: ImportProps) {
  const client = useQueryClient();
  const phone = useMediaQuery('(max-width: 48em)');
  const [year, setYear] = useState(() => schoolYearOf(shanghaiDate(new Date())));
  const [createteam, setCreate] = useState(true);
  const [staged, setStaged] = useState<StagedRoster>();
  const [result, setResult] = useState<RosterResult>();
  const [undone, setUndone] = useState(false);
  const changed = () => void refreshed(client);
  const restart = () => {
    setStaged(undefined);
    setResult(undefined);
    setUndone(false);
  };
  const open = (next: StagedRoster) => {
    setStaged(next);
    setResult(next.result ?? undefined);
    setUndone(next.undone);
  };
  const check = (file: File): Promise<StagedRoster> =>
    kind === 'roster'
      ? upload(checkAssessTeamRoster, file, { year, createteam: createteam ? '1' : '0' })
      : upload(checkZLBCUserFromExcel, file, { year, ...(teamcode ? { teamcode } : {}) });
  const wide = staged && !result;
  return (
    <Modal
      opened
      onClose={onClose}
      title={staged ? `${title} · ${staged.filename}` : title}
      size={wide ? 'min(1280px, 96vw)' : 640}
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
    >
      {result ? (
        <ImportDone result={result} undone={undone} onUndone={() => setUndone(true)} onClose={onClose} onMore={restart} />
      ) : staged ? (
        <ImportCheck
          key={staged.importid}
          calls={rosterCalls[kind]}
          staged={staged}
          summary={teamsOf}
          onBack={restart}
          onDone={(done) => {
            setResult(done);
            changed();
          }}
        />
      ) : (
        <ImportStart
          calls={rosterCalls[kind]}
          check={check}
          onStaged={open}
          options={
            <>
              <TextInput
                label="学年"
                description="表格中没有学年时使用"
                value={year}
                onChange={(event) => setYear(event.currentTarget.value)}
                w={150}
                maxLength={20}
              />
              {kind === 'roster' && (
                <Switch
                  mb={8}
                  label="自动创建没有的团体"
                  checked={createteam}
                  onChange={(event) => setCreate(event.currentTarget.checked)}
                />
              )}
            </>
          }
          template={
            <ExportButton action={exportRosterTemplate} request={{ kind }} title="导入模板">
              下载模板
            </ExportButton>
          }
        />
      )}
    </Modal>
  );
}

function teamsOf({ teams }: RosterVerdict) {
  if (teams.length === 0) return null;
  const created = teams.filter((team) => !team.existing).length;
  const unlisted = teams.reduce((sum, team) => sum + team.unlisted, 0);
  return (
    <Text size="sm" c="dimmed">
      涉及 {teams.length} 个团体{created > 0 ? `，其中新建 ${created} 个` : ''}
      {unlisted > 0 ? `；这些团体现有成员中有 ${unlisted} 人不在本名单，导入后保留` : ''}
    </Text>
  );
}
