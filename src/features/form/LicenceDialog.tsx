import { Checkbox, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { DayField } from '#ui/dates/dateFields.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { acceptFormLicence, getFormDetail, getFormPageList } from '#features/form/form.contract.ts';
import type { FormDetail } from '#features/form/formDetail.ts';
import { statedTier } from '#features/form/form.labels.ts';
import { checkForm } from '#features/scaleeditor/scaleeditor.contract.ts';

/**
 * Lets an administrator accept the conditions of a tier-B form, or record the licence of a tier-C form: the proof, the last day and the
 * purpose. The server stores the name and the time.
 */
export function LicenceDialog({ form, onClose }: { form: FormDetail; onClose: () => void }) {
  const needsProof = statedTier(form) === 'C';
  const isRenewal = needsProof && form.licence.expiredate !== null;
  const fields = useActionForm(acceptFormLicence, {
    initial: { formcode: form.formcode, ...(isRenewal ? { note: form.licence.note } : {}) },
    onDone: onClose,
    invalidates: [getFormDetail, getFormPageList, checkForm],
    successMessage: needsProof ? '已登记授权' : '已确认，本机构现在可以使用该量表',
  });
  const leave = useLeave(fields.dirty, onClose);
  const title = needsProof ? (isRenewal ? '续期授权' : '登记授权') : '接受使用条件';
  const proof = fields.values.prooffileid;
  return (
    <Modal opened onClose={leave} title={`${title}：${form.formname}`} size="lg">
      <form ref={fields.place} onSubmit={fields.submit} noValidate>
        <Stack>
          {needsProof ? (
            <Text size="sm">
              请上传权利人出具的授权证明，并填写授权的最后一天。到期后不能再开始新的测评，正在进行的测评可以做完。
            </Text>
          ) : (
            <Text size="sm">{form.licencetext || '该量表须在非商业、注明出处的前提下使用。'}</Text>
          )}
          {form.citation && <Text size="sm">出处：{form.citation}</Text>}
          {needsProof && (
            <>
              <UploadField
                {...fields.field('prooffileid')}
                label={isRenewal ? '新的授权证明（不上传则沿用原证明）' : '授权证明'}
                required={!isRenewal}
                value={proof ? [proof] : []}
                use="licence"
                most={1}
                onPick={([fileid]) => fields.set('prooffileid', fileid)}
              />
              <DayField {...fields.field('expiredate')} required min={shanghaiDate(new Date())} />
            </>
          )}
          <LongTextField {...fields.field('note')} maxLength={500} />
          <Checkbox
            label={needsProof ? '我代表本机构确认：授权真实有效，使用不超出授权范围' : '我代表本机构接受以上使用条件'}
            data-path="accepted"
            checked={fields.values.accepted === 1}
            error={fields.error('accepted')}
            onChange={(event) => fields.set('accepted', event.currentTarget.checked ? 1 : undefined)}
          />
          <Text size="sm" c="dimmed">
            {needsProof
              ? '登记人、时间与用途会被记录。'
              : '接受即表示本机构将遵守上述条件，不对该量表单独收费。确认人、时间与用途会被记录。'}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" loading={fields.busy}>
              {needsProof ? '登记' : '接受'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
