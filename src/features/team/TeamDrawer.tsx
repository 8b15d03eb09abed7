import { TextInput } from '@mantine/core';
import { Appid, TeamType } from '#domain/base/enums.ts';
import { grades, schoolYearOf } from '#domain/person/grades.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { EnumField, EnumRadio, LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useUser } from '#ui/api/session.ts';
import {
  getAssessTeamPageList,
  getTeamOwners,
  getGradeList,
  getYearList,
  insertAssessTeam,
  type TeamRow,
} from '#features/team/team.contract.ts';

/** Edits a new or an existing team. */
export function TeamDrawer({ row, onClose }: { row: TeamRow | 'new'; onClose: () => void }) {
  const { appid } = useUser();
  const owners = useActionQuery(getTeamOwners, {}).data ?? [];
  const form = useActionForm(insertAssessTeam, {
    initial:
      row === 'new'
        ? { teamtype: '01', appid: appid || Appid.students, year: schoolYearOf(shanghaiDate(new Date())) }
        : {
            teamcode: row.teamcode,
            version: row.version,
            teamname: row.teamname,
            teamtype: row.teamtype,
            appid: row.appid,
            year: row.year,
            gradecode: row.gradecode,
            classname: row.classname,
            owneruserid: row.owneruserid || null,
            remark: row.remark,
          },
    onDone: onClose,
    invalidates: [getAssessTeamPageList, getGradeList, getYearList],
  });
  const isClass = form.values.teamtype === TeamType.class;
  return (
    <FormDrawer title={row === 'new' ? '新增团体' : '修改团体'} onClose={onClose} form={form}>
      <TextInput {...form.field('teamname')} required placeholder={isClass ? '如 初二（3）班' : ''} data-autofocus />
      <EnumRadio {...form.field('teamtype')} required of={TeamType} />
      <EnumField {...form.field('appid')} required of={Appid} clearable={false} />
      <TextInput {...form.field('year')} placeholder="如 2025-2026" />
      {isClass && (
        <SelectField
          {...form.field('gradecode')}
          options={grades.map(({ code, name }) => ({ value: code, label: name }))}
          placeholder="不选则从名称识别"
        />
      )}
      {isClass && <TextInput {...form.field('classname')} placeholder="如 3班" />}
      <SelectField
        {...form.field('owneruserid')}
        options={owners.map(({ userid, realname, post }) => ({
          value: userid,
          label: post ? `${realname}（${post}）` : realname,
        }))}
        placeholder="如班主任；可看到本团体名单"
      />
      <LongTextField {...form.field('remark')} maxLength={200} />
    </FormDrawer>
  );
}
