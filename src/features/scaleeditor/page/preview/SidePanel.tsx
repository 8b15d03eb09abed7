import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Fault, Place } from '#domain/scoring/editor/fault.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { FaultList } from '#features/scaleeditor/page/preview/FaultList.tsx';
import { PhonePreview } from '#features/scaleeditor/page/preview/PhonePreview.tsx';
import { TrialPanel } from '#features/scaleeditor/page/preview/TrialPanel.tsx';
import classes from './preview.module.css';

interface Props {
  scale: Scale;
  faults: readonly Fault[];
  formcode: string;
  /** saves the draft at once */
  flush: () => Promise<boolean>;
  onShow: (place: Place) => void;
}

/** Beside the sections: the questionnaire on a phone, trial scoring, the list of faults. */
export function SidePanel({ scale, faults, onShow }: Props) {
  const [tab, setTab] = useState<string | null>('phone');
  const errors = faults.filter((fault) => fault.kind === 'error').length;
  const isScored = scale.formtype === '01' || scale.formtype === '04';
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes['panel']}>
      <Tabs.List grow>
        <Tabs.Tab value="phone">手机预览</Tabs.Tab>
        {isScored && <Tabs.Tab value="trial">试算</Tabs.Tab>}
        <Tabs.Tab value="check">{errors ? `检查（${errors}）` : '检查'}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="phone" pt="sm">
        <PhonePreview scale={scale} />
      </Tabs.Panel>
      <Tabs.Panel value="trial" pt="sm">
        <TrialPanel scale={scale} />
      </Tabs.Panel>
      <Tabs.Panel value="check" pt="sm">
        <FaultList faults={faults} scale={scale} onShow={onShow} />
      </Tabs.Panel>
    </Tabs>
  );
}
