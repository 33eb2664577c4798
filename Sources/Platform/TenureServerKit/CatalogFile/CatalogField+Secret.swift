import TenureFormats

extension CatalogField {
    /// A secret in the catalog file; its value is never shown.
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

    /// The four members for one or several secrets, in the catalog file or in files next to it: `secret`, `secretFile`,
    /// `secrets` and `secretFiles` for the name `secret`.
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

/// The names of the members for a secret.
private struct SecretNames: Sendable {
    let inline: String
    let file: String
    let inlines: String
    let files: String

    init(_ name: String) {
        (inline, file, inlines, files) = (name, name + "File", name + "s", name + "Files")
    }

    /// The members of one secret, of which exactly one must be given.
    var single: [String] { [inline, file] }
    /// The members of one or several secrets, of which exactly one must be given.
    var all: [String] { [inline, file, inlines, files] }
}

extension CatalogReader {
    /// Reports a secret that isn't given exactly once, either in the catalog file or as a file, or that is empty.
    ///
    /// - Parameters:
    ///   - name: The member's name, such as `key`, beside `keyFile`.
    ///   - value: What was read.
    package mutating func check(
        _ name: String, _ value: String, among members: [String: CatalogNode], of node: CatalogNode
    ) {
        if count(SecretNames(name).single, in: members) != 1 {
            report(node, "needs either \"\(name)\" or \"\(name)File\"")
        } else if value.isEmpty, count([name], in: members) == 1 {
            report(node, "the \"\(name)\" is empty")
        }
    }

    /// Reports secrets unless exactly one of the four members is given, with one or two secrets, none of which is
    /// empty.
    ///
    /// - Parameters:
    ///   - name: The name that ``CatalogField/secrets(_:_:)`` got.
    ///   - values: What was read.
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
            // What is wrong with a file has been reported.
        } else if values.contains(where: \.isEmpty) || !(1...2).contains(values.count) {
            report(node, "needs one or two secrets that aren't empty")
        }
    }

    private func count(_ names: [String], in members: [String: CatalogNode]) -> Int {
        names.count { (members[$0]?.value ?? .null) != .null }
    }

    /// Reads a secret from the catalog file, or from the first line of a file next to it.
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
