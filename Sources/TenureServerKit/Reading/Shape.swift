package import TenureCore
package import TenureFormats

/// What a member must look like, and how it becomes a value: the one place that reading and the schema follow.
package struct Shape<Value: Sendable>: Sendable {
    /// What the JSON must be; the first three kinds stand in a query, a form or a path as text too.
    enum Kind: Sendable {
        case text(@Sendable (String) -> Value?)
        case integer(@Sendable (Int64) -> Value?)
        case boolean(@Sendable (Bool) -> Value?)
        case object(@Sendable (FlatObject) throws(Fault) -> Value)
        case objects(@Sendable ([FlatObject?]) throws(Fault) -> Value)
        case texts(@Sendable ([String]) throws(Fault) -> Value)
    }

    /// What is wrong inside an object.
    package struct Fault: Error {
        /// Where, as a JSON pointer from the object.
        package let pointer: String
        /// What is wrong there, after the name and a colon.
        package let words: String

        /// Names what is wrong.
        package init(_ pointer: String, _ words: String) {
            self.pointer = pointer
            self.words = words
        }
    }

    let kind: Kind
    /// What it must be, after the words "must be".
    package var must: String { words() }
    /// The longest text, in bytes; nil where the shape itself says.
    let longest: Int?
    /// Whether the empty text is a value, and not nothing.
    let takesEmpty: Bool
    /// A value of this shape: what stands in while the members are declared.
    let sample: @Sendable () -> Value
    /// What tools are told.
    package var schema: Schema { description() }

    // Made when they are asked for: a request that can be read needs neither.
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

    /// A text that `read` makes a value of, or nil when it is none.
    /// - Parameters:
    ///   - example: A text that it does make a value of; it is a mistake in the program, and traps, if it does not.
    ///   - longest: Bytes that are looked at; a longer text is refused as too long.
    package static func text(
        _ must: @autoclosure @escaping @Sendable () -> String,
        like example: @autoclosure @escaping @Sendable () -> String,
        longest: Int? = nil, takesEmpty: Bool = false, schema: @autoclosure @escaping @Sendable () -> Schema,
        _ read: @escaping @Sendable (String) -> Value?
    ) -> Shape {
        Shape(.text(read), must: must, longest: longest, takesEmpty: takesEmpty, schema: schema) {
            guard let value = read(example()) else { preconditionFailure("\(example()) is not \(must())") }
            return value
        }
    }

    /// An object that `read` makes a value of; `sample` stands in while members are declared.
    package static func object(
        _ must: String, sample: Value, _ read: @escaping @Sendable (FlatObject) throws(Fault) -> Value
    ) -> Shape {
        Shape(.object(read), must: { must }, schema: { Schema([.init("type", "object")]) }) { sample }
    }

    /// A list of objects that `read` makes a value of; what is no object in it comes as nil.
    /// - Parameters:
    ///   - element: What tools are told of an element.
    ///   - count: How many there may be.
    package static func objects(
        _ must: String, of element: @autoclosure @escaping @Sendable () -> Schema, count: ClosedRange<Int>,
        sample: Value,
        _ read: @escaping @Sendable ([FlatObject?]) throws(Fault) -> Value
    ) -> Shape {
        Shape(
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

    /// A list of texts, each of which `read` makes a value of.
    /// - Parameter count: How many there may be.
    package static func texts<Element: Sendable>(
        of element: Shape<Element>, count: ClosedRange<Int>
    ) -> Shape where Value == [Element] {
        let must = "a list of \(count.lowerBound) to \(count.upperBound) texts"
        return Shape(
            .texts { (texts: [String]) throws(Fault) in
                guard count.contains(texts.count) else { throw Fault("", "must be \(must)") }
                var values: [Element] = []
                for (place, text) in texts.enumerated() {
                    guard let value = element.value(ofText: text) else {
                        throw Fault("/\(place)", "must be \(element.must)")
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

    /// What it must be when it is another kind of JSON altogether.
    var mustInKind: String {
        switch kind {
        case .text: must.hasPrefix("a text") ? must : "a text"
        case .integer: must.hasPrefix("from ") ? "a whole number" : must
        case .boolean: "true or false"
        case .object, .objects, .texts: must
        }
    }

    /// Reads what stands as text in a query, a form, a path or a header field.
    package func value(ofText text: String) -> Value? {
        switch kind {
        case .text(let read): read(text)
        case .integer(let read): Int64(text).flatMap { String($0) == text ? read($0) : nil }
        case .boolean(let read): ["true": true, "false": false][text].flatMap(read)
        case .object, .objects, .texts: nil
        }
    }
}

extension Shape where Value == Int {
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int>) -> Shape {
        Shape(
            .integer { number in Int(exactly: number).flatMap { range.contains($0) ? $0 : nil } },
            must: { "from \(range.lowerBound) to \(range.upperBound)" },
            schema: { .integer(Int64(range.lowerBound)...Int64(range.upperBound)) }
        ) { range.lowerBound }
    }
}

extension Shape where Value == Timestamp {
    /// Whole POSIX seconds, from 1970 to the end of the year 9999.
    package static var seconds: Shape<Timestamp> {
        let range: ClosedRange<Int64> = 0...253_402_300_799
        return Shape(
            .integer { number in range.contains(number) ? Timestamp(seconds: number) : nil },
            must: { "POSIX seconds, from \(range.lowerBound) to \(range.upperBound)" }, schema: { .integer(range) }
        ) { Timestamp(seconds: 0) }
    }
}

extension Shape where Value == Bool {
    /// True or false.
    package static var boolean: Shape {
        Shape(.boolean { $0 }, must: { "true or false" }, schema: { .boolean }) { false }
    }
}

extension Shape {
    /// A whole number of 64 bits that every value stands for; `must` says what it counts.
    package static func integer(_ must: String, _ read: @escaping @Sendable (Int64) -> Value) -> Shape {
        Shape(.integer { read($0) }, must: { must }, schema: { .integer() }) { read(0) }
    }
}
