import { Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf } from '#domain/person/grades.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import {
  checkAssessTeamRoster,
  checkZABCUserFromExcel,
  checkZLBCUserFromExcel,
  checkZNBCUserFromExcel,
  exportRosterTemplate,
  type RosterVerdict,
  type StagedRoster,
} from '#features/team/roster/roster.contract.ts';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { ImportDone } from '#blocks/import/ImportDone.tsx';
import { ImportSteps } from '#blocks/import/ImportSteps.tsx';
import { rosterCalls } from '#blocks/import/rosterCalls.ts';
import { upload } from '#ui/api/transfer.ts';

export interface ImportProps {
  kind: PersonKind;
  title: string;
  onClose: () => void;
  /** The team that all persons join: the sheet needs no column for it. */
  teamcode?: string;
  /** The population of persons whose list has no column 人群. */
  appid?: AdultAppid | undefined;
}

/** The populations of template C. */
export type AdultAppid = '000000003' | '000000004' | '000000005';

const hints: Partial<Record<PersonKind, string>> = {
  maternity: '医院建档系统导出的表可以直接上传：认得末次月经、预产期、孕周（24+3）与建册日期、建册号、身份证号等列',
  adults: '人事名单、健康体检表可以直接上传：认得工号、部门、岗位、入职日期、身份证号、居住方式、慢病等列',
};

/** The dialog of an import of persons. */
export function ImportDialog({ kind, title, onClose, teamcode, appid }: ImportProps) {
  const [year, setYear] = useState(() => schoolYearOf(shanghaiDate(new Date())));
  const [createteam, setCreateteam] = useState(true);
  const hasClasses = kind === 'roster' || kind === 'students';
  const check = (file: File): Promise<StagedRoster> => {
    switch (kind) {
      case 'roster':
        return upload(checkAssessTeamRoster, file, teamcode ? { teamcode } : { year, createteam: createteam ? '1' : '0' });
      case 'students':
        return upload(checkZLBCUserFromExcel, file, { year, ...(teamcode ? { teamcode } : {}) });
      case 'maternity':
        return upload(checkZNBCUserFromExcel, file, {});
      case 'adults':
        return upload(checkZABCUserFromExcel, file, appid ? { appid } : {});
    }
  };
  return (
    <ImportSteps
      calls={rosterCalls[kind]}
      title={title}
      width={640}
      onClose={onClose}
      check={check}
      {...(hints[kind] ? { hint: hints[kind] } : {})}
      options={
        !teamcode &&
        hasClasses && (
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
                onChange={(event) => setCreateteam(event.currentTarget.checked)}
              />
            )}
          </>
        )
      }
      template={
        <ExportButton action={exportRosterTemplate} request={{ kind }} title="导入模板">
          下载模板
        </ExportButton>
      }
      summary={teamsOf}
      done={(last) => <ImportDone {...last} />}
    />
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
