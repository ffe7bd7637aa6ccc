/// The fields of EXIF that are told, by exiftool's names for them.
enum EXIFNames {
    /// A field's name, and whether it says nothing of people and places.
    struct Field {
        let name: String
        let isTechnical: Bool

        init(_ name: String, isTechnical: Bool = true) {
            self.name = name
            self.isTechnical = isTechnical
        }
    }

    /// Of the first directory. The copyright is told in any case: it is there to go with the picture.
    static let main: [Int: Field] = [
        270: Field("ImageDescription", isTechnical: false), 271: Field("Make"), 272: Field("Model"),
        282: Field("XResolution"), 283: Field("YResolution"), 296: Field("ResolutionUnit"), 305: Field("Software"),
        306: Field("ModifyDate"), 315: Field("Artist", isTechnical: false), 18_246: Field("Rating"),
        33_432: Field("Copyright"), 40_091: Field("XPTitle", isTechnical: false),
        40_092: Field("XPComment", isTechnical: false), 40_093: Field("XPAuthor", isTechnical: false),
        40_094: Field("XPKeywords", isTechnical: false), 40_095: Field("XPSubject", isTechnical: false),
    ]

    /// Of EXIF's own directory.
    static let exif: [Int: Field] = [
        33_434: Field("ExposureTime"), 33_437: Field("FNumber"), 34_850: Field("ExposureProgram"), 34_855: Field("ISO"),
        36_864: Field("ExifVersion"), 36_867: Field("DateTimeOriginal"), 36_868: Field("CreateDate"),
        36_880: Field("OffsetTime"), 36_881: Field("OffsetTimeOriginal"), 36_882: Field("OffsetTimeDigitized"),
        37_379: Field("BrightnessValue"), 37_380: Field("ExposureCompensation"), 37_382: Field("SubjectDistance"),
        37_383: Field("MeteringMode"), 37_384: Field("LightSource"), 37_385: Field("Flash"),
        37_386: Field("FocalLength"), 37_510: Field("UserComment", isTechnical: false), 37_520: Field("SubSecTime"),
        37_521: Field("SubSecTimeOriginal"), 37_522: Field("SubSecTimeDigitized"),
        41_495: Field("SensingMethod"), 41_985: Field("CustomRendered"),
        41_986: Field("ExposureMode"), 41_987: Field("WhiteBalance"), 41_988: Field("DigitalZoomRatio"),
        41_989: Field("FocalLengthIn35mmFormat"), 41_990: Field("SceneCaptureType"), 41_991: Field("GainControl"),
        41_992: Field("Contrast"), 41_993: Field("Saturation"), 41_994: Field("Sharpness"),
        41_996: Field("SubjectDistanceRange"), 42_016: Field("ImageUniqueID", isTechnical: false),
        42_032: Field("OwnerName", isTechnical: false), 42_033: Field("SerialNumber", isTechnical: false),
        42_034: Field("LensInfo"), 42_035: Field("LensMake"), 42_036: Field("LensModel"),
        42_037: Field("LensSerialNumber", isTechnical: false),
    ]

    /// Of the directory that says where it was, besides degrees and height.
    static let place: [Int: Field] = [
        17: Field("GPSImgDirection", isTechnical: false), 29: Field("GPSDateStamp", isTechnical: false),
        31: Field("GPSHPositioningError", isTechnical: false),
    ]
}
