/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { deleteItem } from './delete.ts';
import { exportItems } from './export.ts';
import { ItemHistory, ItemHistoryEntry, readItemHistory } from './history.ts';
import { ItemPage, ListedItem, listItems } from './list.ts';
import { putItem } from './put.ts';
import { readItem } from './read.ts';
import { itemSchemas } from './schema.ts';
import { UploadResult, uploadItems } from './upload.ts';

export const itemsSlice: Slice = {
  schemas: [...itemSchemas, UploadResult, ItemHistory, ItemHistoryEntry, ListedItem, ItemPage],
  operations: {
    Items: [readItem, deleteItem, putItem, uploadItems, listItems, exportItems, readItemHistory],
  },
};
