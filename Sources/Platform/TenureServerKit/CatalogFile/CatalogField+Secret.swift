import TenureFormats

extension CatalogField {
    /// A secret in the catalog file; a plan never shows its value.
    package static func secret(_ name: String, _ path: any WritableKeyPath<Record, String> & Sendable) -> Self {
        Self(
            name, schema: { _ in Schema.text(length: 1...256).orNull },
            edits: { old, new in
                old[keyPath: path] == new[keyPath: path] ? [] : [CatalogEdit(name, "set", "another")]
            },
            { node, record, reader in
                if let text = reader.secret(node, isFile: false) { record[keyPath: path] = text }
            })
    }

    /// A secret in the first line of a file next to the catalog file.
    package static func secretFile(_ name: String, _ path: any WritableKeyPath<Record, String> & Sendable) -> Self {
        Self(name, schema: { _ in Schema.text(length: 1...4096).orNull }) { node, record, reader in
            if let text = reader.secret(node, isFile: true) { record[keyPath: path] = text }
        }
    }

    /// The four members that supply one or several secrets, in the catalog file or in files next to it.
    ///
    /// For the name `secret`, they are `secret`, `secretFile`, `secrets` and `secretFiles`.
    package static func secrets(
        _ name: String, _ path: any WritableKeyPath<Record, [String]> & Sendable
    ) -> [Self] {
        let names = SecretNames(name)
        return [
            single(names.inline, isFile: false, path), single(names.file, isFile: true, path),
            several(names.inlines, isFile: false, path), several(names.files, isFile: true, path),
        ]
    }

    private static func single(
        _ name: String, isFile: Bool, _ path: any WritableKeyPath<Record, [String]> & Sendable
    ) -> Self {
        Self(name, schema: { _ in Schema.text(length: 1...4096).orNull }) { node, record, reader in
            if let text = reader.secret(node, isFile: isFile) { record[keyPath: path].append(text) }
        }
    }

    private static func several(
        _ name: String, isFile: Bool, _ path: any WritableKeyPath<Record, [String]> & Sendable
    ) -> Self {
        .list(name, of: Schema.text(length: 1...4096)) { node, record, reader in
            if let text = reader.secret(node, isFile: isFile) { record[keyPath: path].append(text) }
        }
    }
}

/// The names of the members that supply a secret.
private struct SecretNames: Sendable {
    let inline: String
    let file: String
    let inlines: String
    let files: String

    init(_ name: String) {
        (inline, file, inlines, files) = (name, name + "File", name + "s", name + "Files")
    }

    /// The members for a single secret, of which exactly one must be given.
    var single: [String] { [inline, file] }
    /// The members for one or several secrets, of which exactly one must be given.
    var all: [String] { [inline, file, inlines, files] }
}

extension CatalogReader {
    /// Reports a problem unless a secret is given exactly once, in the catalog file or in a file, and isn't empty.
    ///
    /// - Parameters:
    ///   - name: The name of the inline member, such as `key`; the other member is `keyFile`.
    ///   - value: The secret that was read.
    package mutating func check(
        _ name: String, _ value: String, among members: [String: CatalogNode], of node: CatalogNode
    ) {
        if count(SecretNames(name).single, in: members) != 1 {
            report(node, "needs either \"\(name)\" or \"\(name)File\"")
        } else if value.isEmpty, count([name], in: members) == 1 {
            report(node, "the \"\(name)\" is empty")
        }
    }

    /// Reports a problem unless exactly one of the four members is given, with one or two secrets that aren't empty.
    ///
    /// - Parameters:
    ///   - name: The name that was passed to ``CatalogField/secrets(_:_:)``.
    ///   - values: The secrets that were read.
    package mutating func check(
        _ name: String, _ values: [String], among members: [String: CatalogNode], of node: CatalogNode
    ) {
        let names = SecretNames(name)
        if count(names.all, in: members) != 1 {
            report(
                node,
                "needs exactly one of \"\(names.inline)\", \"\(names.file)\", \"\(names.inlines)\" and "
                    + "\"\(names.files)\"")
        } else if count([names.inline, names.inlines], in: members) == 0, !values.isEmpty, values.count <= 2 {
            // A problem with a file has been reported already.
        } else if values.contains(where: \.isEmpty) || !(1...2).contains(values.count) {
            report(node, "needs one or two secrets that aren't empty")
        }
    }

    private func count(_ names: [String], in members: [String: CatalogNode]) -> Int {
        names.count { (members[$0]?.value ?? .null) != .null }
    }

    /// Reads a secret from the catalog file, or from the first line of a file next to it.
    ///
    /// Returns `nil` for `null` or after reporting a problem with the member, and an empty text after reporting a
    /// problem with the file.
    fileprivate mutating func secret(_ node: CatalogNode, isFile: Bool) -> String? {
        guard let text = text(node, limit: isFile ? 4096 : 256) else { return nil }
        guard isFile else { return text }
        do throws(FileError) {
            guard try files.bytes(of: text, in: nil, limit: 4096) != nil else {
                report(node, "names a file that doesn't exist")
                return ""
            }
        } catch {
            report(node, error.message)
            return ""
        }
        guard let line = firstLine(of: text, node) else { return "" }
        if line.isEmpty { report(node, "names a file whose first line is empty, but it must be the secret") }
        return line
    }
}
