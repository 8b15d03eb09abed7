import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { can } from '#ui/api/session.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { importFormText } from '#features/scaleexchange/scaleexchange.contract.ts';
import { ImportScaleDialog } from '#blocks/scaleexchange/ImportScaleDialog.tsx';

interface Props {
  /** The open draft of the editor takes the definition; otherwise it becomes a new form, whose editor opens. */
  draft?: { title: string; onLoad: (scale: Scale) => void };
  /** The form without wording whose licensed texts the institution uploads. */
  wordingOf?: { formcode: string; title: string };
}

/** Opens 导入量表. Hidden without the right to write forms. */
export function ImportScaleButton({ draft, wordingOf }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  if (!can(importFormText)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {wordingOf ? '上传题目文字' : '导入'}
      </Button>
      {isOpen && (
        <ImportScaleDialog
          draft={draft}
          wordingOf={wordingOf}
          onClose={() => setIsOpen(false)}
          onDone={(formcode) => {
            setIsOpen(false);
            if (!wordingOf) void navigate(`/evaluating/evaluationScale/edit?formcode=${formcode}`);
          }}
        />
      )}
    </>
  );
}
