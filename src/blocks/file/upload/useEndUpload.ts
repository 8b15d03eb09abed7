import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateActions } from '#ui/api/useAction.ts';
import { getUploadList } from '#features/file/upload/upload.contract.ts';
import { endUpload } from '#blocks/file/upload/sendFile.ts';

/** Gives up an unfinished upload. A refusal is shown. */
export function useEndUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uploadid }: { uploadid: string }) => endUpload(uploadid),
    onSettled: () => invalidateActions(client, [getUploadList]),
  });
}
