import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApprovedExport } from '#blocks/export/useApprovedExport.tsx';
import { exportPersonCopy } from '#features/anonymize/anonymize.contract.ts';

/** 生成本人资料副本: who asks, how the identity was checked, then the file. */
export function CopyButton({ cuserid }: { cuserid: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        本人资料副本
      </Button>
      {isOpen && <CopyDialog cuserid={cuserid} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CopyDialog({ cuserid, onClose }: { cuserid: string; onClose: () => void }) {
  const { isBusy, fetchFile, dialog } = useApprovedExport();
  const [applicant, setApplicant] = useState<'01' | '02'>('01');
  const [checked, setChecked] = useState('');
  const isReady = checked.trim().length >= 4;
  return (
    <Modal opened onClose={onClose} title="生成本人资料副本" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) fetchFile(exportPersonCopy, { cuserid, applicant, checked }, '本人资料副本');
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            副本是一个 Excel
            文件，有基本资料、测评作答与得分、已开放的报告、同意记录、咨询小结、已结案个案的事实，以及谁看过资料。
          </Text>
          <Text size="sm">
            咨询师的个别记录、个案的处置过程、没有结案的个案等不在副本内；文件的“说明”页逐项写明依据。生成的时间和申请人记入操作审计。
          </Text>
          <Radio.Group
            label="申请人"
            required
            value={applicant}
            onChange={(value) => setApplicant(value === '02' ? '02' : '01')}
            description="监护人的副本不含个案、安全计划、随访，以及本人没有向监护人公开的咨询"
          >
            <Group gap="lg" mt={6}>
              <Radio value="01" label="本人" />
              <Radio value="02" label="监护人" />
            </Group>
          </Radio.Group>
          <TextInput
            label="身份核实方式"
            description="例如：核对身份证原件；至少 4 个字，记入操作审计"
            required
            maxLength={100}
            value={checked}
            onChange={(event) => setChecked(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              关闭
            </Button>
            <Button type="submit" disabled={!isReady} loading={isBusy}>
              生成本人资料副本
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Modal>
  );
}
