/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { readPackDetails } from './details.ts';
import { generatePackSlip } from './generate.ts';
import { buyPackageLabel, labelSchemas } from './label.ts';
import { manifestSchemas, readManifest } from './manifest.ts';
import { packageSchemas } from './package-schema.ts';
import { packingSchemas } from './schema.ts';
import { recordTracking, trackingSchemas } from './tracking.ts';
import { updatePackages } from './update.ts';

export const packingSlice: Slice = {
  schemas: [...packingSchemas, ...packageSchemas, ...manifestSchemas, ...labelSchemas, ...trackingSchemas],
  operations: {
    Packing: [generatePackSlip, readPackDetails, updatePackages, buyPackageLabel, readManifest, recordTracking],
  },
};
