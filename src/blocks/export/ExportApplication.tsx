import { Text } from '@mantine/core';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { insertAccessApproval, type GatedCall } from '#features/approval/approval.contract.ts';

/** Asks a second person to approve an export of minors. */
export function ExportApplication({
  call,
  filter,
  title,
  persons,
  minors,
  onClose,
}: {
  call: GatedCall;
  filter: Record<string, unknown>;
  title: string;
  persons: number;
  minors: number;
  onClose: () => void;
}) {
  const form = useActionForm(insertAccessApproval, {
    initial: { call, filter },
    onDone: onClose,
    invalidates: [],
    successMessage: '已提交申请，审批后会通知您下载',
  });
  return (
    <FormDrawer title={`申请导出${title}`} onClose={onClose} form={form} save="提交申请">
      <Text size="sm">
        当前筛选结果共 <b>{persons}</b> 人，其中未成年人 <b>{minors}</b> 人。导出多名未成年人的信息、1000
        人以上的数据或逐题作答，须由本机构另一名有导出权限的人员审批。
      </Text>
      <LongTextField {...form.field('purpose')} maxLength={500} />
      <Text size="sm" c="dimmed">
        同意后 24 小时内可在“导出审批”中下载，仅限本次筛选条件；申请、审批与下载均留痕。
      </Text>
    </FormDrawer>
  );
}
