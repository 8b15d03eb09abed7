import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Action, RequestOf } from '#contract/action.ts';
import { LongTextField } from '#ui/fields.tsx';
import { FormDrawer } from '#ui/FormDrawer.tsx';
import { ApiError } from '#ui/call.ts';
import { sayError } from '#ui/say.ts';
import { may } from '#ui/session.ts';
import { download } from '#ui/transfer.ts';
import { useActionForm } from '#ui/useActionForm.ts';
import { insertAccessApproval, type GatedCall } from '#features/approval/approval.contract.ts';

/** `problems.approvalNeeded` of contract/problem.ts. */
const APPROVAL_NEEDED = 140003;

interface Props<A extends Action> {
  action: A & { name: string };
  request: RequestOf<A>;
  title: string;
}

/** An export that asks a second person when minors are among its rows: the application takes the place of the file. */
export function ApprovedExport<A extends Action>({ action, request, title }: Props<A>) {
  const [busy, setBusy] = useState(false);
  const [asking, ask] = useState<{ persons: number; minors: number }>();
  if (!may(action)) return null;
  const fetchFile = () => {
    setBusy(true);
    download(action, request, { title })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === APPROVAL_NEEDED) ask(error.data as { persons: number; minors: number });
        else sayError(error);
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={busy} onClick={fetchFile}>
        导出
      </Button>
      {asking && <Application call={action.name as GatedCall} filter={request as Record<string, unknown>} title={title} {...asking} onClose={() => ask(undefined)} />}
    </>
  );
} // prettier-ignore

function Application({ call, filter, title, persons, minors, onClose }: { call: GatedCall; filter: Record<string, unknown>; title: string; persons: number; minors: number; onClose: () => void }) {
  const form = useActionForm(insertAccessApproval, { initial: { call, filter }, onDone: onClose, touches: [], said: '已提交申请，审批后会通知您下载' });
  return (
    <FormDrawer title={`申请导出${title}`} opened onClose={onClose} form={form} save="提交申请">
      <Text size="sm">
        当前筛选结果共 <b>{persons}</b> 人，其中未成年人 <b>{minors}</b> 人。导出未成年人信息须由本机构另一名有导出权限的人员审批。
      </Text>
      <LongTextField {...form.field('purpose')} maxLength={500} />
      <Text size="sm" c="dimmed">
        同意后 24 小时内可在“导出审批”中下载，仅限本次筛选条件；申请、审批与下载均留痕。
      </Text>
    </FormDrawer>
  );
} // prettier-ignore
