/// A JSON schema (draft 2020-12) for a value that a ``FieldType`` reads or a ``Document`` writes.
package struct Schema: Sendable, Hashable {
    /// A named schema among the OpenAPI components.
    package struct Component: Sendable, Hashable {
        /// The schema's name among the components.
        package let name: String
        package let tree: JSONTree
    }

    /// The keywords in the order in which they're written.
    package private(set) var keywords: [JSONTree.Member]
    /// The named schemas that this schema refers to. A component comes after the components that it refers to.
    package private(set) var components: [Component]

    package init(_ keywords: [JSONTree.Member], components: [Component] = []) {
        self.keywords = keywords
        self.components = components
    }

    /// The schema as a JSON object.
    package var tree: JSONTree { .object(keywords) }

    /// A text. The length is measured in Unicode scalars.
    package static func text(
        length: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil
    ) -> Schema {
        var schema = Schema([.init("type", "string")])
        if let length {
            if length.lowerBound > 0 { schema.add("minLength", .number(Int64(length.lowerBound))) }
            schema.add("maxLength", .number(Int64(length.upperBound)))
        }
        if let pattern { schema.add("pattern", .text(pattern)) }
        if let format { schema.add("format", .text(format)) }
        return schema
    }

    /// A whole number.
    package static func integer(_ range: ClosedRange<Int64>? = nil) -> Schema {
        var schema = Schema([.init("type", "integer")])
        if let range {
            schema.add("minimum", .number(range.lowerBound))
            schema.add("maximum", .number(range.upperBound))
        }
        return schema
    }

    package static let boolean = Schema([.init("type", "boolean")])

    /// One of the texts in a list.
    package static func choice(_ texts: [String]) -> Schema {
        Schema([.init("type", "string"), .init("enum", .list(texts.map { .text($0) }))])
    }

    package static func list(of element: Schema) -> Schema {
        Schema([.init("type", "array"), .init("items", element.tree)], components: element.components)
    }

    /// An object with these members.
    ///
    /// - Parameters:
    ///   - required: The names of the required members.
    ///   - isClosed: Whether other members are rejected.
    package static func object(
        _ members: [(name: String, schema: Schema)], required: [String], isClosed: Bool = false
    ) -> Schema {
        var schema = Schema(
            [.init("type", "object"), .init("properties", .object(members.map { .init($0.name, $0.schema.tree) }))],
            components: members.flatMap(\.schema.components))
        if !required.isEmpty { schema.add("required", .list(required.map { .text($0) })) }
        if isClosed { schema.add("additionalProperties", false) }
        return schema
    }

    /// Returns a reference to this schema, which becomes a component with this name.
    package func named(_ name: String) -> Schema {
        Schema(
            [.init("$ref", .text("#/components/schemas/\(name)"))],
            components: components + [Component(name: name, tree: tree)])
    }

    /// The schema extended so that `null` is also allowed.
    package var orNull: Schema {
        Schema(
            keywords.map { keyword in
                switch (keyword.name, keyword.value) {
                case ("type", .text(let type)): .init("type", [.text(type), "null"])
                case ("enum", .list(let values)): .init("enum", .list(values + [.null]))
                default: keyword
                }
            }, components: components)
    }

    /// Returns a schema that allows the values of either schema.
    package func or(_ other: Schema) -> Schema {
        if keywords == other.keywords { return self }
        return Schema(
            [.init("anyOf", .list([tree, other.tree]))], components: components + other.components)
    }

    /// Returns a copy with a description, or an unchanged copy if the description is empty.
    package func described(_ sentence: String) -> Schema {
        sentence.isEmpty ? self : adding("description", .text(sentence))
    }

    /// Returns a copy with one more keyword.
    package func adding(_ name: String, _ value: JSONTree) -> Schema {
        var schema = self
        schema.add(name, value)
        return schema
    }

    private mutating func add(_ name: String, _ value: JSONTree) { keywords.append(.init(name, value)) }
}
