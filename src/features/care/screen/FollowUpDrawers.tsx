import { useUser } from '#ui/api/session.ts';
import { Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod, FollowOutcome, FollowStatus } from '#domain/base/enums.ts';
import { conclusionOptions, levelName } from '#domain/warning/levels.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { EnumRadio, LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { PersonBar } from '#features/care/screen/PersonBar.tsx';
import { OwnerField } from '#features/care/screen/OwnerField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { cancelFollowUp, updateFollowUp, type FollowUpRow } from '#features/care/care.contract.ts';

interface Props {
  row: FollowUpRow;
  onClose: () => void;
}
const isWaiting = (row: FollowUpRow) => row.status === '01';

/** The form that moves a waiting follow-up or corrects a recorded one. */
export function EditFollowupDrawer({ row, onClose }: Props) {
  const { sector } = useUser();
  const form = useActionForm(updateFollowUp, {
    initial: isWaiting(row)
      ? {
          followupid: row.followupid,
          version: row.version,
          method: row.method,
          planname: row.planname,
          ...(row.owneruserid ? { owneruserid: row.owneruserid } : {}),
          ...(row.isoverdue ? {} : { duetime: row.duetime.slice(0, 16) }),
        }
      : {
          followupid: row.followupid,
          version: row.version,
          method: row.method,
          content: row.content,
          currentlevel: row.currentlevel ?? undefined,
        },
    onDone: onClose,
    successMessage: '已修改',
  });
  return (
    <FormDrawer title={`${isWaiting(row) ? '随访改期' : '更正随访记录'}：${row.username}`} onClose={onClose} form={form}>
      {isWaiting(row) && (
        <>
          <TextInput {...form.field('planname')} />
          <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />
          <OwnerField {...form.field('owneruserid')} musercode={row.musercode} placeholder={row.ownername || '请选择'} />
        </>
      )}
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      {!isWaiting(row) && (
        <>
          <LongTextField {...form.field('content')} maxLength={2000} />
          <SelectField {...form.field('currentlevel')} options={conclusionOptions(sector)} clearable={false} />
        </>
      )}
    </FormDrawer>
  );
}

/** The form that cancels a waiting follow-up. */
export function CancelFollowupDrawer({ row, onClose }: Props) {
  const form = useActionForm(cancelFollowUp, {
    initial: { followupid: row.followupid },
    onDone: onClose,
    successMessage: '已取消',
  });
  return (
    <FormDrawer title={`取消随访：${row.username} ${row.duetime.slice(0, 16)}`} onClose={onClose} form={form} save="取消随访">
      <LongTextField {...form.field('reason')} maxLength={500} />
    </FormDrawer>
  );
}

/** A recorded or cancelled follow-up with everything that was written, and the way to correct it. */
export function DoneDrawer({ row, onClose, onEdit }: Props & { onEdit: (() => void) | undefined }) {
  const { sector } = useUser();
  return (
    <Drawer opened onClose={onClose} position="right" title={`随访记录：${row.username}`} size="min(480px, 100vw)">
      <Stack gap="md">
        <PersonBar row={row} />
        <Facts
          facts={[
            ['应随访时间', row.duetime.slice(0, 16)],
            ['完成时间', row.donetime?.slice(0, 16)],
            ['结果', FollowStatus.label(row.status)],
            ['方式', FollowMethod.label(row.method)],
            ['当前状态', levelName(row.currentlevel, sector)],
            ['后续', FollowOutcome.label(row.outcome)],
            ['责任人', row.ownername],
            ['复测', row.retest || (row.reteststate === 1 ? '已发送，待作答' : '')],
          ]}
        />
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{row.content || '没有记录'}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            关闭
          </Button>
          {onEdit && <Button onClick={onEdit}>更正记录</Button>}
        </Group>
      </Stack>
    </Drawer>
  );
}
