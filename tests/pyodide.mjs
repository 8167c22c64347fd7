// CPython on WebAssembly: node tests/pyodide.mjs FOLDER_OF_THE_NPM_PACKAGE ARCHIVE SCRIPT INPUT; prints what SCRIPT prints.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";

const [folder, archive, script, input] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ stdout: (line) => process.stdout.write(line + "\n") });
python.FS.writeFile("/webtool.pyz", fs.readFileSync(archive));
python.FS.writeFile("/input.json", fs.readFileSync(input));
python.runPython(fs.readFileSync(script, "utf-8"));
