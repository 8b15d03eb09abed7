import { Button, Checkbox, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { hasPermission } from '#ui/api/session.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { checkReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import { useReportZip, type ZipRequest } from '#blocks/reportpdf/useReportZip.ts';

const Application = lazyDialog(() => import('#blocks/export/ExportApplication.tsx').then((file) => file.ExportApplication));

const AUDIENCES = [
  { value: 'self', label: '本人版', description: '给本人或家长，不含题目与处理意见' },
  { value: 'staff', label: '工作人员版', description: '存档用，含依据、关键条目与结论' },
] as const;
const LAYOUTS = [
  { value: 'person', label: '每人一份', description: '按班级（单位、阶段）分文件夹，文件名含编号与姓名' },
  { value: 'class', label: '每班一份', description: '合并成一个文件便于打印，每份报告从新的一张纸开始' },
] as const;

/** What the export would contain. */
const describe = ({ reports, persons, minors, parts }: ResponseOf<typeof checkReportZip>): string =>
  [
    `共 ${reports} 份报告`,
    `${persons} 人`,
    ...(minors > 0 ? [`其中未成年人 ${minors} 人`] : []),
    ...(parts > 1 ? [`分成 ${parts} 个压缩包`] : []),
  ].join('，') + '。';

/** Asks which version and which files, says how many reports there are, and starts the export or asks for its approval. */
export function ReportZipDialog({ request, onClose }: { request: ZipRequest; onClose: () => void }) {
  const [audience, setAudience] = useState<'self' | 'staff'>('self');
  const [layout, setLayout] = useState<'person' | 'class'>('person');
  const [hasAnswers, setHasAnswers] = useState(false);
  const [isApplying, setIsApplying] = useState(false);
  const zip = useReportZip();
  const chosen = { ...request, audience, layout, answers: audience === 'staff' && hasAnswers ? 1 : 0 } satisfies ZipRequest;
  const { data } = useActionQuery(checkReportZip, chosen, { keepPrevious: true });
  if (isApplying && data)
    return (
      <Application
        call="as.m.report.exportReportZip"
        filter={chosen}
        title="报告 PDF"
        persons={data.persons}
        minors={data.minors}
        onClose={onClose}
      />
    );
  return (
    <Modal opened onClose={onClose} title="批量导出 PDF" size="md">
      <Stack gap="md">
        <Radio.Group label="版本" value={audience} onChange={(value) => setAudience(value as 'self' | 'staff')}>
          <Stack gap="xs" mt={6}>
            {AUDIENCES.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        {audience === 'staff' && hasPermission('exam.answers') && (
          <Checkbox
            label="含作答明细"
            description="含逐题作答的文件须经第二人审批"
            checked={hasAnswers}
            onChange={(event) => setHasAnswers(event.currentTarget.checked)}
          />
        )}
        <Radio.Group label="文件" value={layout} onChange={(value) => setLayout(value as 'person' | 'class')}>
          <Stack gap="xs" mt={6}>
            {LAYOUTS.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" role="status">
          {data ? describe(data) : '正在统计报告…'}
          {data?.needsapproval === 1 && '这次导出须由本机构另一名有导出权限的人员审批。'}
        </Text>
        <Text size="xs" c="dimmed">
          每页印有您的账号和时间，每份报告的下载都会留下记录。
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          {data?.needsapproval === 1 ? (
            <Button onClick={() => setIsApplying(true)}>申请审批</Button>
          ) : (
            <Button
              disabled={!data || data.reports === 0}
              loading={zip.isBusy}
              onClick={() => void zip.start(chosen).then((isStarted) => isStarted && onClose())}
            >
              开始生成
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
