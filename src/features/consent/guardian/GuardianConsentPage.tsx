import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { Facts, PageStack } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { call } from '#ui/api/call.ts';
import { can } from '#ui/api/session.ts';
import { UploadField } from '#blocks/file/UploadField.tsx';
import { GuardianClasses } from '#features/consent/guardian/GuardianClasses.tsx';
import {
  getGuardianClassList,
  getGuardianConsentPageList,
  guardianKinds,
  guardianMethods,
  guardianStates,
  refuseGuardianConsent,
  revealGuardianCode,
  verifyGuardianConsent,
  type GuardianRow,
} from '#features/consent/guardian/guardian.contract.ts';

const TONES = { 0: 'amber', 1: 'green', 2: 'red', 3: 'gray' } as const;
const RELATIONS: Readonly<Record<string, string>> = { '01': '父亲', '02': '母亲', '03': '其他监护人' };
const stateOptions = Object.entries(guardianStates).map(([value, label]) => ({ value: Number(value), label }));
const kindOptions = Object.entries(guardianKinds).map(([value, label]) => ({ value, label }));
const methodOptions = (['02', '03'] as const).map((value) => ({ value, label: guardianMethods[value] }));

const column = columnsOf(getGuardianConsentPageList);
const columns = [
  column('username', '姓名', { width: 100 }),
  column('belongs', '班级/单位'),
  column('kind', '要求', (kind) => guardianKinds[kind], { width: 90 }),
  column.of(
    'status',
    '状态',
    (row) => (
      <>
        <Badge tone={TONES[row.status as 0]}>{stateName(row)}</Badge>
        {row.hascode === 1 && <Badge tone="gray">验证码待告知</Badge>}
      </>
    ),
    { width: 180 },
  ),
  column('sincetime', '本人同意时间', (time) => time.slice(0, 16), { width: 150 }),
  column.of('erasedate', '到期删除回答', (row) => (row.iserased ? '已删除，个案保留' : row.erasedate || '—'), {
    width: 150,
    hint: '到期仍未核实的，删除回答；安全个案除外',
  }),
  column('hasphone', '名册电话', (has) => (has ? '有' : '没有'), { width: 90, hidden: true }),
  column('claimedname', '本人填写的监护人', (name) => name || '—', { hidden: true, hint: '只供核对，不作为联系人' }),
  column.of('verifiedname', '核实', (row) =>
    row.verifiedtime
      ? [guardianMethods[row.method as '01'], row.verifiedname, row.verifiedtime.slice(0, 16)].filter(Boolean).join(' · ')
      : '—',
  ),
];
/** A duty to inform has its own words. */
const stateName = ({ kind, status }: GuardianRow) =>
  kind === '02' && status < 2 ? (status === 0 ? '待告知' : '已告知') : guardianStates[status as 0];

type Task =
  { kind: 'verify'; cuserids: string[]; isInform?: boolean; done?: () => void } | { kind: 'refuse' | 'call'; row: GuardianRow };

/** 监护人同意: the guardians who have not agreed yet, with the three ways to verify them. */
export default function GuardianConsentPage() {
  const list = useList(getGuardianConsentPageList);
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  return (
    <PageStack>
      <GuardianClasses />
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="姓名/学号" />
            <SelectFilter name="kind" label="要求" options={kindOptions} />
            <SelectFilter name="status" label="状态" options={stateOptions} />
          </>
        }
        {...(can(verifyGuardianConsent)
          ? {
              bulk: (cuserids: string[], done: () => void) => (
                <Button size="compact-sm" variant="light" onClick={() => setTask({ kind: 'verify', cuserids, done })}>
                  登记同意
                </Button>
              ),
            }
          : {})}
      >
        <Alert color="blue" mb="sm">
          监护人同意核实之前，分数和报告对所有人都不显示；安全预警照常提醒和处置。第 1、3、7 天提醒，满 14
          天仍未核实的删除回答，安全个案除外。
        </Alert>
        <DataTable
          list={list}
          columns={columns}
          rowKey="cuserid"
          label="监护人同意列表"
          selectable={can(verifyGuardianConsent)}
          actions={(row) =>
            can(verifyGuardianConsent) &&
            row.status === 0 && (
              <>
                {row.hasphone === 1 && can(revealGuardianCode) && (
                  <Button variant="subtle" size="compact-sm" onClick={() => setTask({ kind: 'call', row })}>
                    电话与验证码
                  </Button>
                )}
                <Button
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => setTask({ kind: 'verify', cuserids: [row.cuserid], isInform: row.kind === '02' })}
                >
                  {row.kind === '01' ? '登记同意' : '登记已告知'}
                </Button>
                {row.kind === '01' && (
                  <Button variant="subtle" size="compact-sm" onClick={() => setTask({ kind: 'refuse', row })}>
                    不同意
                  </Button>
                )}
              </>
            )
          }
          empty={
            <EmptyState
              title="没有待核实的监护人同意"
              hint="未满 14 周岁或年龄不明的学生作答后，会在这里等待核实"
              filtered={Object.keys(list.filters).length > 0}
              reset={() => list.setFilters({})}
            />
          }
        />
        {task?.kind === 'verify' && <VerifyDrawer {...task} onClose={close} />}
        {task?.kind === 'refuse' && <RefuseDrawer row={task.row} onClose={close} />}
        {task?.kind === 'call' && <CallDrawer row={task.row} onClose={close} />}
      </ListPage>
    </PageStack>
  );
}

const affected = [getGuardianConsentPageList, getGuardianClassList];

interface VerifyProps {
  cuserids: string[];
  /** the institution only informs the guardian */
  isInform?: boolean;
  done?: () => void;
  onClose: () => void;
}

function VerifyDrawer({ cuserids, isInform = false, done, onClose }: VerifyProps) {
  const form = useActionForm(verifyGuardianConsent, {
    initial: { cuserids, fileids: [] },
    invalidates: affected,
    onDone: ({ verified }: { verified: number }) => {
      notify.done(`已登记 ${verified} 人`);
      done?.();
      onClose();
    },
  });
  return (
    <FormDrawer
      title={isInform ? '登记已告知监护人' : `登记监护人同意：${cuserids.length} 人`}
      onClose={onClose}
      form={form}
      save="登记"
    >
      <SelectField {...form.field('method')} options={methodOptions} clearable={false} />
      <LongTextField {...form.field('remark')} maxLength={200} />
      <UploadField {...form.field('fileids')} use="consent" most={5} onPick={(fileids) => form.set('fileids', fileids)} />
    </FormDrawer>
  );
}

function RefuseDrawer({ row, onClose }: { row: GuardianRow; onClose: () => void }) {
  const form = useActionForm(refuseGuardianConsent, {
    initial: { cuserid: row.cuserid },
    invalidates: affected,
    onDone: onClose,
    successMessage: '已登记，已停止使用该生资料',
  });
  return (
    <FormDrawer title={`监护人不同意：${row.username}`} onClose={onClose} form={form} save="登记并停止使用" isDanger>
      <Alert color="orange">登记后立即停止使用该生的资料，15 个工作日内删除回答和报告。处理中的安全个案保留。</Alert>
      <LongTextField {...form.field('remark')} maxLength={200} />
    </FormDrawer>
  );
}

/** The telephone of the roster and the code to read aloud. The server audits the look. */
function CallDrawer({ row, onClose }: { row: GuardianRow; onClose: () => void }) {
  const [shown, setShown] = useState<{ name: string; relation: string; phonenumber: string; code: string }>();
  const form = useActionForm(verifyGuardianConsent, {
    initial: { cuserids: [row.cuserid], method: '03' },
    invalidates: affected,
    onDone: onClose,
    successMessage: '已登记监护人同意',
  });
  return (
    <FormDrawer title={`联系监护人：${row.username}`} onClose={onClose} form={form} save="登记电话同意">
      {shown ? (
        <Facts
          facts={[
            ['监护人', `${shown.name}（${RELATIONS[shown.relation] ?? '其他'}）`],
            ['电话', shown.phonenumber],
            ['验证码', shown.code || '本人还没有请求验证码'],
          ]}
        />
      ) : (
        <Button variant="default" onClick={() => call(revealGuardianCode, { cuserid: row.cuserid }).then(setShown, notifyError)}>
          显示电话与验证码
        </Button>
      )}
      <Text size="sm" c="dimmed">
        拨打名册中的电话：说明测评内容和谁能看到，请监护人表态。可以把验证码告诉监护人，由学生填写；也可以在这里登记通话。
      </Text>
      <TextInput {...form.field('remark')} />
    </FormDrawer>
  );
}
