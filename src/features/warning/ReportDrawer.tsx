import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { WarningLevel } from '#domain/enums.ts';
import { EnumRadio, LongTextField } from '#ui/fields.tsx';
import { FormDrawer } from '#ui/FormDrawer.tsx';
import { useRead } from '#ui/useAction.ts';
import { useActionForm } from '#ui/useActionForm.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { insertWarning } from '#features/warning/handling.contract.ts';
import classes from './warning.module.css';

/** 人工上报: what somebody saw or heard, without any questionnaire. */
export function ReportDrawer({ onClose, onDone }: { onClose: () => void; onDone: (warningcode: string) => void }) {
  const form = useActionForm(insertWarning, {
    initial: { level: 2 },
    said: '已上报，值班人员已收到通知',
    onDone: ({ warningcode }) => {
      onClose();
      onDone(warningcode);
    },
  });
  const [typed, type] = useState('');
  const [keyword] = useDebouncedValue(typed, 300);
  const found = useRead(getCUserPageList, keyword ? { keyword, pageSize: 20 } : undefined, { quiet: true });
  const people = (found.data?.rows ?? []).map((row) => ({
    value: row.cuserid,
    label: [row.username, row.belongs, row.studentno].filter(Boolean).join(' · '),
  }));
  const { onChange: _, ...who } = form.field('cuserid');
  return (
    <FormDrawer title="人工上报" opened onClose={onClose} form={form} save="上报">
      <Select
        {...who}
        searchable
        data={people}
        filter={({ options }) => options}
        searchValue={typed}
        onSearchChange={type}
        onChange={(cuserid) => form.set('cuserid', cuserid)}
        placeholder="输入姓名、拼音首字母或学号"
        nothingFoundMessage={keyword ? '没有找到' : '请输入姓名或学号'}
      />
      <EnumRadio {...form.field('level')} of={WarningLevel} />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <p className={classes['script']}>{'如有现实危险：不要让当事人独处，立即联系值班人员，必要时拨打 120 / 110，再补登记。'}</p>
    </FormDrawer>
  );
}
