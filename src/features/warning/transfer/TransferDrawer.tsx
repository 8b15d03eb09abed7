import { Autocomplete, TextInput } from '@mantine/core';
import { useActionQuery } from '#ui/api/useAction.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { transferWarning } from '#features/warning/special/special.contract.ts';
import type { StepProps } from '#features/warning/handling/stepProps.ts';
import { isBySecond } from '#features/warning/second/isBySecond.ts';
import { SecondField } from '#features/warning/second/SecondField.tsx';
import { getTransferTargets } from '#features/warning/transfer/transfer.contract.ts';
import classes from '#features/warning/warning.module.css';

/** The form that hands a case to another institution. It offers the institutions of the platform by a part of their name. */
export function TransferDrawer({ detail, full, onClose }: StepProps) {
  const { warningcode, version } = detail;
  const needsSecond = isBySecond(full, 'transfer');
  const form = useActionForm(transferWarning, {
    initial: { warningcode, version, seconds: [] },
    onDone: onClose,
    successMessage: needsSecond ? '已提交复核' : '已登记移交，等待对方回执',
  });
  const keyword = ((form.values.receiver as string | undefined) ?? '').trim();
  const read = useActionQuery(getTransferTargets, keyword.length >= 2 ? { keyword } : undefined, {
    keepPrevious: true,
    quiet: true,
  });
  const targets = read.data ?? [];
  const isOnPlatform = targets.filter(({ insname }) => insname === keyword).length === 1;
  return (
    <FormDrawer title="转出/移交" onClose={onClose} form={form} save={needsSecond ? '提交复核' : '登记移交'} width={560}>
      <p className={classes['script']}>{'收到对方回执之前，个案仍由您负责，期限照常计算。'}</p>
      <Autocomplete
        {...form.field('receiver')}
        data={[...new Set(targets.map(({ insname }) => insname))]}
        filter={({ options }) => options}
        onChange={(value) => form.set('receiver', value)}
      />
      <p className={classes['script']} aria-live="polite">
        {isOnPlatform
          ? '对方在本平台上：提交后对方会收到关联个案和通知，对方受理即为回执。只传送姓名、联系方式、监护人、预警原因和下面的移交情况。'
          : '对方不在本平台上：请另行交接，取得回执后登记。'}
      </p>
      <TextInput {...form.field('person')} />
      <TextInput {...form.field('phone')} inputMode="tel" />
      <LongTextField {...form.field('content')} maxLength={2000} />
      {needsSecond && (
        <SecondField
          {...form.field('seconds')}
          warningcode={warningcode}
          subject="transfer"
          onPick={(userids) => form.set('seconds', userids)}
        />
      )}
    </FormDrawer>
  );
}
