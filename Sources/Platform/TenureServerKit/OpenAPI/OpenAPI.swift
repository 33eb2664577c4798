import Synchronization
import TenureFormats

/// The OpenAPI 3.1 description of an API, generated from its endpoints' declarations.
package final class OpenAPI: Sendable {
    private let operations: [Operation]
    private let title: String
    private let sentence: String
    private let version: String
    private let tags: [(name: String, sentence: String)]
    private let cached = Mutex<[UInt8]?>(nil)

    /// Creates the description of operations, which keep their order.
    ///
    /// - Parameters:
    ///   - sentence: The description of the whole API.
    ///   - version: The version of the API.
    ///   - tags: The groups of operations, with their descriptions.
    package init(
        _ operations: [Operation], title: String, _ sentence: String, version: String,
        tags: [(name: String, sentence: String)]
    ) {
        self.operations = operations
        self.title = title
        self.sentence = sentence
        self.version = version
        self.tags = tags
    }

    /// The OpenAPI document as JSON.
    ///
    /// It's created at the first use, because most servers never serve it.
    package var document: [UInt8] {
        cached.withLock { cached in
            if let cached { return cached }
            let written = tree.lines
            cached = written
            return written
        }
    }

    private var tree: JSONTree {
        var paths: [(path: String, operations: [Operation])] = []
        for operation in operations {
            if let index = paths.firstIndex(where: { $0.path == operation.path }) {
                paths[index].operations.append(operation)
            } else {
                paths.append((operation.path, [operation]))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": .text(title), "version": .text(version), "description": .text(sentence)],
            "security": [["token": []]],
            "tags": .list(tags.map { ["name": .text($0.name), "description": .text($0.sentence)] }),
            "paths": .object(
                paths.map { path, operations in
                    .init(path, .object(operations.map { .init($0.method.lowercased(), $0.tree) }))
                }),
            "components": [
                "securitySchemes": securitySchemes,
                "responses": ["Problem": Self.problem],
                "schemas": schemas,
            ],
        ]
    }

    private var securitySchemes: JSONTree {
        var seen: Set<SecurityScheme> = []
        let all = ([.operatorToken] + operations.flatMap(\.credentials)).filter { seen.insert($0).inserted }
        return .object(
            all.map { credential in
                .init(
                    credential.name,
                    ["type": "http", "scheme": "bearer", "description": .text(credential.sentence)])
            })
    }

    private var schemas: JSONTree {
        var seen: Set<String> = []
        let all =
            ProblemDetails.document.schema.components
            + operations.flatMap { $0.schema.components + ($0.repeatedSchema?.components ?? []) }
        return .object(all.filter { seen.insert($0.name).inserted }.map { .init($0.name, $0.tree) })
    }

    private static var problem: JSONTree {
        [
            "description": "The request was refused: a problem (RFC 9457) with `code` and `reasons`.",
            "content": ["application/problem+json": ["schema": ProblemDetails.document.schema.tree]],
        ]
    }
}

extension Operation {
    /// The possible error statuses.
    ///
    /// Every operation lists all of them, because its declaration doesn't say which ones apply.
    private static let refusals = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503]

    var tree: JSONTree {
        var members: [JSONTree.Member] = [
            .init("summary", .text(summary)), .init("operationId", .text(id)), .init("tags", [.text(tag)]),
        ]
        let words = [description, needs].filter { !$0.isEmpty }
        if !words.isEmpty { members.append(.init("description", .text(words.joined(separator: " ")))) }
        if credentials != [.operatorToken] {
            members.append(
                .init("security", .list(credentials.map { .object([.init($0.name, .list([]))]) })))
        }
        let parameters = declaration.members.filter { $0.location != .body }.map(\.parameter)
        if !parameters.isEmpty { members.append(.init("parameters", .list(parameters))) }
        if let body = declaration.bodyTree { members.append(.init("requestBody", body)) }
        members.append(
            .init(
                "responses",
                .object(
                    successes + Self.refusals.map { .init(String($0), ["$ref": "#/components/responses/Problem"]) })))
        return .object(members)
    }
}

extension Operation {
    /// The successful responses by status.
    private var successes: [JSONTree.Member] {
        func response(_ sentence: String, _ schema: Schema) -> JSONTree {
            ["description": .text(sentence), "content": ["application/json": ["schema": schema.tree]]]
        }
        guard let repeatedSchema else { return [.init(String(answer.status), response(answer.sentence, schema))] }
        if answer.status == 200 {
            return [.init("200", response("\(answer.sentence) \(Self.repeated)", schema.or(repeatedSchema)))]
        }
        return [
            .init("200", response(Self.repeated, repeatedSchema)),
            .init(String(answer.status), response(answer.sentence, schema)),
        ]
    }

    private static let repeated =
        "With `repeated`: an earlier request with this `Idempotency-Key` was carried out more than a day ago, or with "
        + "another token. These are its records as they are now; a token without the scope to read them gets their ids."

    /// The required scope or credentials as a sentence; empty if the operation needs only an operator token.
    private var needs: String {
        let scope = scope.map { "the scope `\($0)`" }
        let others = credentials.filter { $0 != .operatorToken }.map(\.phrase)
        let all = [scope].compactMap(\.self) + others
        return all.isEmpty ? "" : "Needs \(all.joined(separator: ", or "))."
    }
}

extension FieldDeclaration {
    fileprivate var bodyTree: JSONTree? {
        guard case .members = body else { return nil }
        let members = members(in: .body)
        let schema = Schema.object(
            members.map { ($0.name, $0.schema) }, required: members.filter(\.isRequired).map(\.name),
            isClosed: isClosed
        ).described(rules.joined(separator: " "))
        return [
            "required": .truth(needsBody),
            "content": ["application/json": ["schema": schema.tree]],
        ]
    }
}

extension FieldDeclaration.Member {
    fileprivate var parameter: JSONTree {
        var members: [JSONTree.Member] = [.init("name", .text(name)), .init("in", .text(location.rawValue))]
        if isRequired { members.append(.init("required", true)) }
        members.append(.init("schema", schema.tree))
        return .object(members)
    }
}
