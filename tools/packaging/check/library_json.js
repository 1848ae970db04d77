// library_json.js FILE: checks the fields of a PlatformIO manifest that this one uses against their documentation and
// prints the flags and the sources it asks for, from the manifest's folder.
'use strict';
const fs = require('fs'), path = require('path');
const file = process.argv[2], manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
function need(ok, text) {
  if (!ok) {
    console.error(`${file}:1: ${text}`);
    process.exit(1);
  }
}
const known = { name: 'string', version: 'string', description: 'string', keywords: 'object', frameworks: 'string',
                platforms: 'string', headers: 'string', build: 'object' };
for (const key of Object.keys(manifest)) {
  need(typeof manifest[key] === known[key], `${key}: unknown or not a ${known[key]}`);
}
for (const key of Object.keys(known)) {
  need(key in manifest, `${key} is missing`);
}
need(/^[A-Za-z0-9 _-]{1,100}$/.test(manifest.name), 'name: letters, digits, space, _ and -');
need(/^\d+\.\d+\.\d+$/.test(manifest.version), 'version: three numbers');
const build = manifest.build, folder = path.dirname(file);
for (const key of Object.keys(build)) {
  need(['srcDir', 'includeDir', 'srcFilter', 'flags', 'libArchive'].includes(key), `build.${key}: unknown`);
}
need(fs.existsSync(path.join(folder, build.includeDir, manifest.headers)), 'headers: no such file');
// the one pattern in use: +<*/*.c>
need(build.srcFilter.length === 1 && build.srcFilter[0] === '+<*/*.c>', 'build.srcFilter: expected +<*/*.c>');
const root = path.join(folder, build.srcDir), sources = [];
for (const entry of fs.readdirSync(root, { withFileTypes: true })) {
  if (entry.isDirectory()) {
    for (const name of fs.readdirSync(path.join(root, entry.name))) {
      if (name.endsWith('.c')) {
        sources.push(`${entry.name}/${name}`);
      }
    }
  }
}
need(sources.length > 0, 'no sources');
console.log(`flags ${build.flags.join(' ')}\nsources ${sources.sort().join(' ')}`);
