/// Writes metrics in the Prometheus text format, version 0.0.4.
package struct PrometheusText: Sendable {
    /// The type of a metric family.
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The text written so far.
    package private(set) var text = ""
    private var name = ""

    package init() {}

    /// Starts a metric family. The samples that are added next belong to it.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample to the current family.
    ///
    /// - Parameter suffix: Text that is appended to the family's name, such as `_sum`.
    package mutating func sample(_ labels: KeyValuePairs<String, String> = [:], _ value: Double, suffix: String = "") {
        let inside = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += name + suffix + (inside.isEmpty ? "" : "{\(inside)}") + " \(Self.number(value))\n"
    }

    /// Adds the samples of a histogram to the current family, with cumulative bucket counts.
    mutating func histogram(_ labels: KeyValuePairs<String, String>, _ histogram: Histogram) {
        var total = 0
        for (edge, count) in zip(Histogram.edges.map(Self.number) + ["+Inf"], histogram.buckets) {
            total += count
            let inside = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" } + ["le=\"\(edge)\""]
            text += "\(name)_bucket{\(inside.joined(separator: ","))} \(total)\n"
        }
        sample(labels, histogram.sum, suffix: "_sum")
        sample(labels, Double(histogram.count), suffix: "_count")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        // By scalars, because a line feed after a carriage return is part of the same Character.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
