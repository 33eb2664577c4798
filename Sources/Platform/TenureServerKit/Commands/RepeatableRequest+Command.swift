package import TenureCommandLine
package import TenureCore

/// The idempotency key of a command that a person or a script may repeat.
extension RepeatableRequest {
    /// The option `--idempotency-key`.
    package static let option: Argument<String?> = .optional(
        "idempotency-key", "KEY",
        "Carry the command out once for this key, such as an invoice's id: for 120 days, a repetition changes nothing.",
        as: ArgumentReading { text in
            guard let key = IdempotencyKey.text(text) else {
                throw UsageError("enter 1 to 255 printable ASCII characters, without a space at either end")
            }
            return key
        })

    /// Describes a command as a request with an idempotency key; `nil` without a key.
    ///
    /// The key belongs to the tenant, as in the operator API. If a request of the API has used the key, a command that
    /// creates records is refused, and the other way round. A command that acts on several records is carried out once
    /// for each record, so it may be repeated after an interruption.
    ///
    /// - Parameters:
    ///   - name: The command, such as `license issue`, including default values of arguments that were left out.
    ///   - deciding: The arguments that determine the command's effect. If their values differ, the key is refused.
    ///   - record: The record that the command changes; `nil` if it creates records.
    package static func command(
        _ arguments: Parsed, _ name: String, deciding: [any DeclaredArgument], on record: String? = nil,
        of tenant: TenantID
    ) -> RepeatableRequest? {
        guard let key = arguments[option] else { return nil }
        let texts = deciding.map(\.declaration.label).sorted().map { ($0, arguments.texts(of: $0)) }
        // Each text follows its length in bytes, so that no text can imitate another argument.
        let described = texts.filter { !$0.1.isEmpty }.map { label, texts in
            ([label] + texts.map { "\($0.utf8.count):\($0)" }).joined(separator: " ")
        }
        return RepeatableRequest(
            "command", name, Array(described.joined(separator: "\n").utf8), of: tenant, by: .commandLine,
            named: record.map { "\(key)\n\($0)" } ?? key)
    }

    /// The error for a key that was used for another request.
    package static func keyReused(_ arguments: Parsed) -> CommandError {
        CommandError(
            "The idempotency key \((arguments[option] ?? "").printable) was used for another command, or with other "
                + "arguments, within the last 120 days. Nothing was changed. Repeat that command as it was, or choose a "
                + "key for a new order.")
    }

    /// The message that a repeated command prints on standard error.
    package static let repetitionNote =
        "nothing was changed: a command with this idempotency key was carried out before"
}

/// The format of idempotency keys, in the operator API and in commands.
enum IdempotencyKey {
    /// Returns the text if it has 1 to 255 printable ASCII characters and no space at either end; `nil` otherwise.
    static func text(_ text: String) -> String? {
        let bytes = text.utf8
        guard (1...255).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }),
            bytes.first != 0x20, bytes.last != 0x20
        else { return nil }
        return text
    }
}
