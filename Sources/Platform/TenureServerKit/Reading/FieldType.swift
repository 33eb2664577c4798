package import TenureCore
package import TenureFormats

/// The type of a member: how it's validated, decoded and described in the schema.
package struct FieldType<Value: Sendable>: Sendable {
    /// The JSON type, and the function that converts a value of this type.
    ///
    /// Only texts, integers and booleans can be read from the text of a query, a form, a path or a header.
    enum Kind: Sendable {
        case text(@Sendable (String) -> Value?)
        case integer(@Sendable (Int64) -> Value?)
        case boolean(@Sendable (Bool) -> Value?)
        case object(@Sendable (FlatObject) throws(Fault) -> Value)
        case objects(@Sendable ([FlatObject?]) throws(Fault) -> Value)
        case texts(@Sendable ([String]) throws(Fault) -> Value)
    }

    /// An error inside an object or a list.
    package struct Fault: Error {
        /// The position in the member's value, as a JSON pointer.
        package let pointer: String
        /// The problem with the value, as a text that follows the member's name and a colon.
        package let words: String

        package init(_ pointer: String, _ words: String) {
            self.pointer = pointer
            self.words = words
        }
    }

    let kind: Kind
    /// The requirement on the value, as a text that follows the words "must be" in an error.
    package var must: String { words() }
    /// The maximum length in bytes; `nil` if the conversion checks the length, or if there is no limit.
    let longest: Int?
    /// Whether an empty text is a value, even in a format that treats empty texts as absent.
    let takesEmpty: Bool
    /// Returns a valid placeholder, for declaring members without a request.
    let sample: @Sendable () -> Value
    package var schema: Schema { description() }

    // Closures, because handling a valid request needs neither the text nor the schema.
    private let words: @Sendable () -> String
    private let description: @Sendable () -> Schema

    private init(
        _ kind: Kind, must: @escaping @Sendable () -> String, longest: Int? = nil, takesEmpty: Bool = false,
        schema: @escaping @Sendable () -> Schema, sample: @escaping @Sendable () -> Value
    ) {
        self.kind = kind
        self.longest = longest
        self.takesEmpty = takesEmpty
        self.sample = sample
        words = must
        description = schema
    }

    /// A text that `read` converts to a value. `read` returns `nil` for an invalid text.
    ///
    /// - Parameters:
    ///   - must: The requirement on the value, as a text that follows the words "must be" in an error.
    ///   - example: A valid text for the placeholder. Traps if `read` rejects it.
    ///   - longest: The maximum length in bytes. A longer text is rejected as too long.
    ///   - takesEmpty: Whether an empty text is a value, even in a format that treats empty texts as absent.
    package static func text(
        _ must: @autoclosure @escaping @Sendable () -> String,
        like example: @autoclosure @escaping @Sendable () -> String,
        longest: Int? = nil, takesEmpty: Bool = false, schema: @autoclosure @escaping @Sendable () -> Schema,
        _ read: @escaping @Sendable (String) -> Value?
    ) -> FieldType {
        FieldType(.text(read), must: must, longest: longest, takesEmpty: takesEmpty, schema: schema) {
            guard let value = read(example()) else { preconditionFailure("\(example()) is not \(must())") }
            return value
        }
    }

    /// An object that `read` converts to a value.
    ///
    /// - Parameter sample: The placeholder for declaring members without a request.
    package static func object(
        _ must: String, sample: Value, _ read: @escaping @Sendable (FlatObject) throws(Fault) -> Value
    ) -> FieldType {
        FieldType(.object(read), must: { must }, schema: { Schema([.init("type", "object")]) }) { sample }
    }

    /// A list of objects that `read` converts to a value. `read` receives `nil` for an element that isn't an object.
    ///
    /// - Parameters:
    ///   - element: The schema of an element.
    ///   - count: The allowed number of elements.
    ///   - sample: The placeholder for declaring members without a request.
    package static func objects(
        _ must: String, of element: @autoclosure @escaping @Sendable () -> Schema, count: ClosedRange<Int>,
        sample: Value,
        _ read: @escaping @Sendable ([FlatObject?]) throws(Fault) -> Value
    ) -> FieldType {
        FieldType(
            .objects { (objects: [FlatObject?]) throws(Fault) in
                guard count.contains(objects.count) else { throw Fault("", "must be \(must)") }
                return try read(objects)
            }, must: { must },
            schema: {
                .list(of: element()).adding("minItems", .number(Int64(count.lowerBound)))
                    .adding("maxItems", .number(Int64(count.upperBound)))
            }
        ) { sample }
    }

    /// A list of texts, each of which `element` converts to a value.
    ///
    /// - Parameter count: The allowed number of elements.
    package static func texts<Element: Sendable>(
        of element: FieldType<Element>, count: ClosedRange<Int>
    ) -> FieldType where Value == [Element] {
        let must = "a list of \(count.lowerBound) to \(count.upperBound) strings"
        return FieldType(
            .texts { (texts: [String]) throws(Fault) in
                guard count.contains(texts.count) else { throw Fault("", "must be \(must)") }
                var values: [Element] = []
                for (index, text) in texts.enumerated() {
                    guard let value = element.value(ofText: text) else {
                        throw Fault("/\(index)", "must be \(element.must)")
                    }
                    values.append(value)
                }
                return values
            }, must: { must },
            schema: {
                .list(of: element.schema).adding("minItems", .number(Int64(count.lowerBound)))
                    .adding("maxItems", .number(Int64(count.upperBound)))
            }
        ) { [] }
    }

    /// The requirement on the value, for an error about a value with the wrong JSON type.
    var mustInKind: String {
        switch kind {
        case .text: must.hasPrefix("a string") ? must : "a string"
        case .integer: must.hasPrefix("from ") ? "a whole number" : must
        case .boolean: "true or false"
        case .object, .objects, .texts: must
        }
    }

    /// Converts text from a query, a form, a path or a header; `nil` if the text is invalid.
    package func value(ofText text: String) -> Value? {
        switch kind {
        case .text(let read): read(text)
        case .integer(let read): Int64(text).flatMap { String($0) == text ? read($0) : nil }
        case .boolean(let read): ["true": true, "false": false][text].flatMap(read)
        case .object, .objects, .texts: nil
        }
    }
}

extension FieldType where Value == Int {
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int>) -> FieldType {
        FieldType(
            .integer { number in Int(exactly: number).flatMap { range.contains($0) ? $0 : nil } },
            must: { "from \(range.lowerBound) to \(range.upperBound)" },
            schema: { .integer(Int64(range.lowerBound)...Int64(range.upperBound)) }
        ) { range.lowerBound }
    }
}

extension FieldType where Value == Timestamp {
    /// A time in whole POSIX seconds, from 1970 to the end of the year 9999.
    package static var seconds: FieldType<Timestamp> {
        let range: ClosedRange<Int64> = 0...253_402_300_799
        return FieldType(
            .integer { number in range.contains(number) ? Timestamp(seconds: number) : nil },
            must: { "POSIX seconds, from \(range.lowerBound) to \(range.upperBound)" }, schema: { .integer(range) }
        ) { Timestamp(seconds: 0) }
    }
}

extension FieldType where Value == Bool {
    package static var boolean: FieldType {
        FieldType(.boolean { $0 }, must: { "true or false" }, schema: { .boolean }) { false }
    }
}

extension FieldType {
    /// Any 64-bit whole number.
    ///
    /// - Parameter must: The requirement on the value, as a text that follows the words "must be" in an error.
    package static func integer(_ must: String, _ read: @escaping @Sendable (Int64) -> Value) -> FieldType {
        FieldType(.integer { read($0) }, must: { must }, schema: { .integer() }) { read(0) }
    }
}
