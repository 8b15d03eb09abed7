import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormPurpose } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { Section, PageStack } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { copyText } from '#ui/display/copyText.ts';
import { notify } from '#ui/feedback/notify.ts';
import { can, hasPermission, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Link } from '#ui/router/router.tsx';
import { getConsultFormList, updateConsultForm } from '#features/consult/forms/forms.contract.ts';
import classes from './consult.module.css';

type FormRow = ResponseOf<typeof getConsultFormList>['rows'][number];

/** 登记表设置: which forms persons can fill in, under which title, and whether they choose a time themselves. */
export default function FormsTab() {
  const read = useActionQuery(getConsultFormList, {});
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines />}>
      {({ selfbook, rows }) => (
        <PageStack>
          <SelfBooking selfbook={selfbook} />
          <Section
            title="申请用的登记表"
            right={
              hasPermission('plans.scales') && (
                <Text size="sm" component="span">
                  <Link to={pathOf('plans.scales')}>到量表库制作登记表</Link>
                </Text>
              )
            }
          >
            <FormRows rows={rows.filter((row) => row.purpose === '01')} />
          </Section>
          <ApplicationAddress />
          <Section title="工作人员填写的登记表">
            <Text size="sm" c="dimmed" mb="xs">
              随访和访谈用的登记表不提供给受测者，在随访和个案处置中使用。
            </Text>
            <ul className={classes['series']}>
              {rows
                .filter((row) => row.purpose !== '01')
                .map((row) => (
                  <li key={row.formcode}>
                    {row.formname}（{FormPurpose.label(row.purpose)}）
                  </li>
                ))}
            </ul>
          </Section>
        </PageStack>
      )}
    </Loaded>
  );
}

/** The address and QR code that lead persons straight to the application. */
function ApplicationAddress() {
  const { qrcodeurl, insname } = useUser();
  if (!qrcodeurl) return null;
  const address = `${location.origin}${qrcodeurl}?consult`;
  const picture = `/qr/${encodeURIComponent(qrcodeurl.split('/').at(-1) ?? '')}.png?consult=1`;
  const copy = async () => {
    if (await copyText(address)) notify.done('地址已复制');
    else notify.error('复制失败，请手动选择地址复制');
  };
  return (
    <Section title="申请入口">
      <div className={classes['entry']}>
        <img src={`${picture}&size=200`} width={140} height={140} alt={`${insname}预约咨询的二维码`} />
        <Stack gap="xs">
          <Text size="sm">受测者扫码或打开地址，核对身份后直接进入“预约咨询”。可以贴在咨询室门口或发到班级通知中。</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Text>
          <Group gap="xs">
            <Button size="sm" variant="default" onClick={() => void copy()}>
              复制地址
            </Button>
            <Button size="sm" variant="default" component="a" href={`${picture}&size=400&download=1`} download>
              下载二维码
            </Button>
          </Group>
        </Stack>
      </div>
    </Section>
  );
}

function SelfBooking({ selfbook }: { selfbook: number }) {
  const save = useActionMutation(updateConsultForm, { invalidates: [getConsultFormList], successMessage: '已保存' });
  return (
    <Section title="预约方式">
      <Switch
        label="允许本人自选时间"
        description="打开后，受测者可以在今后 14 天的空闲时间里自己选一个；关闭时由工作人员安排"
        checked={selfbook === 1}
        disabled={!can(updateConsultForm) || save.isPending}
        onChange={(event) => save.mutate({ selfbook: event.currentTarget.checked ? 1 : 0 })}
      />
    </Section>
  );
}

function FormRows({ rows }: { rows: readonly FormRow[] }) {
  const save = useActionMutation(updateConsultForm, { invalidates: [getConsultFormList], successMessage: '已保存' });
  const place = useActionMutation(updateConsultForm, { invalidates: [getConsultFormList] });
  if (rows.length === 0)
    return <EmptyState title="还没有可用的登记表" hint="在量表库中制作类型为“登记表”、用途为“申请”的表并发布" />;
  const swap = async (index: number, other: number) => {
    const order = [...rows];
    const [first, second] = [rows[index], rows[other]];
    if (!first || !second) return;
    [order[index], order[other]] = [second, first];
    // Each row gets its place in the list, one after the other: before, all may have had the same one.
    for (const [ordernum, { formcode, ordernum: before }] of order.entries())
      if (before !== ordernum) await place.mutateAsync({ formcode, ordernum });
  };
  return (
    <div>
      {rows.map((row, index) => (
        <FormLine
          key={row.formcode}
          row={row}
          save={(changes) => save.mutate({ formcode: row.formcode, ...changes })}
          up={index > 0 ? () => void swap(index, index - 1) : undefined}
          down={index < rows.length - 1 ? () => void swap(index, index + 1) : undefined}
        />
      ))}
    </div>
  );
}

interface LineProps {
  row: FormRow;
  save: (changes: { enabled: number }) => void;
  up: (() => void) | undefined;
  down: (() => void) | undefined;
}

function FormLine({ row, save, up, down }: LineProps) {
  const [title, setTitle] = useState(row.title);
  const [fault, setFault] = useState<string>();
  const rename = useActionMutation(updateConsultForm, {
    invalidates: [getConsultFormList],
    successMessage: '已保存',
    quiet: true,
  });
  const saveTitle = () => {
    if (rename.isPending || title.trim() === row.title) return;
    setFault(undefined);
    rename.mutate(
      { formcode: row.formcode, title: title.trim() },
      { onError: (error) => setFault(`没有保存：${error.message}`), onSuccess: () => setTitle(title.trim() || row.formname) },
    );
  };
  const isWritable = can(updateConsultForm);
  return (
    <div className={classes['form']}>
      <Switch
        aria-label={`启用 ${row.formname}`}
        checked={row.enabled === 1}
        disabled={!isWritable}
        onChange={(event) => save({ enabled: event.currentTarget.checked ? 1 : 0 })}
      />
      <Stack gap={4}>
        <Text fw={500}>{row.formname}</Text>
        <Text size="xs" c="dimmed">
          版本 {row.formversion} · {row.isown ? '本机构' : '平台'} · 已登记 {row.uses} 次
        </Text>
        {row.enabled === 1 && (
          <TextInput
            size="sm"
            label="显示给受测者的名称"
            placeholder={row.formname}
            maxLength={50}
            disabled={!isWritable}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={fault}
            onBlur={saveTitle}
            onKeyDown={(event) => event.key === 'Enter' && saveTitle()}
          />
        )}
      </Stack>
      {isWritable && (up || down) && (
        <Group gap={4}>
          <Button size="compact-sm" variant="default" aria-label={`上移 ${row.formname}`} disabled={!up} onClick={up}>
            上移
          </Button>
          <Button size="compact-sm" variant="default" aria-label={`下移 ${row.formname}`} disabled={!down} onClick={down}>
            下移
          </Button>
        </Group>
      )}
    </div>
  );
}
