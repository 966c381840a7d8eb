/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { deleteWebhook } from './delete.ts';
import { listWebhookDeliveries } from './deliveries.ts';
import { putWebhook } from './put.ts';
import { getWebhook, listWebhooks } from './read.ts';
import { replayWebhook } from './replay.ts';
import { rotateWebhookSecret } from './rotate.ts';
import { webhookSchemas } from './schema.ts';
import { testWebhook } from './test-delivery.ts';

export const webhooksSlice: Slice = {
  schemas: [...webhookSchemas],
  operations: {
    Webhooks: [
      putWebhook,
      getWebhook,
      listWebhooks,
      deleteWebhook,
      rotateWebhookSecret,
      testWebhook,
      replayWebhook,
      listWebhookDeliveries,
    ],
  },
};
